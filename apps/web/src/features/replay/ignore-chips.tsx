import type { routes } from '@misstep/contract';
import type { Comparison, Replay } from '@misstep/model';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { problemOf } from '../../api/problem.ts';
import type { useKeepRules } from '../../api/replay-account.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import parts from './comparison-parts.module.css';

type Ruled = z.output<typeof routes.getComparison.response>;

/** The rules in force as removable chips, a way to add one, and how many rows they take. */
export function IgnoreChips(props: {
  replay: Replay;
  comparison: Comparison;
  ruled: Ruled | undefined;
  keep: ReturnType<typeof useKeepRules>;
}) {
  const { comparison, keep } = props;
  const [isAdding, setAdding] = useState(false);
  const rules = props.ruled?.rules ?? [];
  const taken = new Map(comparison.ignored?.map(({ rule, count }) => [rule, count]));
  const total = [...taken.values()].reduce((sum, count) => sum + count, 0);
  const suggestions = props.ruled?.suggestions ?? [];
  return (
    <div className={parts.ignore} aria-label="Ignored paths" role="group">
      <span title={`Kept for ${props.replay.tool} of this server, in every run`}>ignore</span>
      {rules.map((rule) => (
        <span key={rule} className={parts.rule} title={ruleTitle(rule, taken.get(rule) ?? 0)}>
          <bdi className={parts.ruleText}>{rule}</bdi>
          <span className={parts.ruleCount}>{formatCount(taken.get(rule) ?? 0)}</span>
          <button
            type="button"
            aria-label={`Stop ignoring ${rule}`}
            onClick={() => keep.mutate(rules.filter((each) => each !== rule))}
          >
            <Icon name="cross" small />
          </button>
        </span>
      ))}
      {isAdding ? (
        <PathForm
          keep={keep}
          onAdd={(rule) => keep.mutate([...rules, rule], { onSuccess: () => setAdding(false) })}
          onClose={() => setAdding(false)}
        />
      ) : (
        <Button
          small
          kind="quiet"
          onClick={() => setAdding(true)}
          title="Ignore a path: /orders/*/etag"
        >
          <Icon name="plus" small /> Path
        </Button>
      )}
      {suggestions.length === 0 ? null : (
        <Menu
          label="Volatile fields that could be ignored"
          trigger={
            <Button small kind="quiet">
              {countOf(suggestions.length, 'suggestion')}
            </Button>
          }
          items={suggestions.map(({ rule, count, example }) => ({
            id: rule,
            label: `${rule}: ${countOf(count, 'row')}, first ${example}`,
            onSelect: () => keep.mutate([...rules, rule]),
          }))}
        />
      )}
      {total === 0 ? null : <b>{`${countOf(total, 'row')} ignored`}</b>}
    </div>
  );
}

function ruleTitle(rule: string, count: number): string {
  return `${rule}: ${countOf(count, 'row that differs', 'rows that differ')} not judged`;
}

function PathForm(props: {
  keep: ReturnType<typeof useKeepRules>;
  onAdd: (rule: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const problem = props.keep.error === null ? null : problemOf(props.keep.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') props.onAdd(text.trim());
  };
  return (
    <form className={parts.pathForm} onSubmit={submit}>
      <TextInput
        mono
        autoFocus
        aria-label="Path to ignore"
        aria-invalid={problem === null ? undefined : true}
        placeholder="/orders/*/etag or timestamps"
        title={problem?.message ?? '* stands for one part, ** for any number of parts'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          props.onClose();
        }}
      />
      <Button small type="submit">
        Ignore
      </Button>
      {problem === null ? null : (
        <span role="alert" className={parts.pathProblem} title={problem.message}>
          {problem.message}
        </span>
      )}
    </form>
  );
}
