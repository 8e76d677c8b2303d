import type { ConfigEntry, TargetConfig } from '@misstep/contract';
import { useRef, useState } from 'react';
import { type ConfigFile, useImportTargets, useReadTargetConfig } from '../../api/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import text from '../../ui/text.module.css';
import { ProblemLine, ProblemNotice } from '../shell/problem-notice.tsx';
import {
  askedPlaceholders,
  type ConfigChoice,
  choiceProblem,
  NO_CHOICE,
  nameOf,
  readChoice,
} from './config-choice.ts';
import { ConfigEntryItem } from './config-entry-item.tsx';
import styles from './config-import.module.css';

/** Servers from the configuration file of another client: picked by hand, confirmed one by one. */
export function ConfigImport(props: { taken: readonly string[]; onKept: (name: string) => void }) {
  const read = useReadTargetConfig();
  const [file, setFile] = useState<ConfigFile | null>(null);
  const [kept, setKept] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const open = async (picked: File | undefined) => {
    if (picked === undefined) return;
    setKept(null);
    const next = { fileName: picked.name, text: await picked.text() };
    setFile(next);
    read.mutate(next);
  };
  const done = (names: readonly string[]) => {
    setKept(names.length);
    setFile(null);
    read.reset();
    const [first] = names;
    if (first !== undefined) props.onKept(first);
  };
  return (
    <div className={styles.place}>
      <span className={text.secondary}>
        An mcp.json, claude_desktop_config.json, settings.json or config.toml of Claude, VS Code,
        Cursor, Codex and others. Reading it starts nothing, and you confirm each server before its
        first start.
      </span>
      <span className={styles.foot}>
        <Button onClick={() => input.current?.click()}>Choose a file</Button>
        <input
          ref={input}
          type="file"
          className={styles.file}
          aria-label="Configuration file"
          accept=".json,.jsonc,.toml,.txt,application/json"
          onChange={(event) => {
            void open(event.currentTarget.files?.[0]);
            // The same file may be chosen again once it was changed.
            event.currentTarget.value = '';
          }}
        />
        <span className={`${text.tertiary} ${text.ellipsis}`} role="status">
          {kept === null ? (file?.fileName ?? '') : `${countOf(kept, 'server')} kept: confirm each`}
        </span>
      </span>
      {read.isError ? <ProblemNotice title="The file can’t be read" error={read.error} /> : null}
      {read.data !== undefined && file !== null ? (
        <Choice file={file} config={read.data} taken={props.taken} onKept={done} />
      ) : null}
    </div>
  );
}

function Choice(props: {
  file: ConfigFile;
  config: TargetConfig;
  taken: readonly string[];
  onKept: (names: readonly string[]) => void;
}) {
  const { config, file } = props;
  const take = useImportTargets();
  const [choice, setChoice] = useState<ConfigChoice>(NO_CHOICE);
  const problem = choiceProblem(config, choice, props.taken);
  const pick = ({ index }: ConfigEntry, isPicked: boolean) =>
    setChoice((before) => {
      const picked = new Set(before.picked);
      if (isPicked) picked.add(index);
      else picked.delete(index);
      return { ...before, picked };
    });
  const keep = () => {
    if (problem !== null || take.isPending) return;
    take.mutate(
      { ...file, ...readChoice(config, choice) },
      { onSuccess: ({ targets }) => props.onKept(targets.map(({ name }) => name)) },
    );
  };
  return (
    <>
      <ul className={styles.list} aria-label="Servers in the file">
        {config.entries.map((entry) => (
          <ConfigEntryItem
            key={entry.index}
            entry={entry}
            name={nameOf(entry, choice)}
            picked={choice.picked.has(entry.index)}
            onPick={(isPicked) => pick(entry, isPicked)}
            onName={(name) =>
              setChoice((before) => ({
                ...before,
                names: new Map(before.names).set(entry.index, name),
              }))
            }
          />
        ))}
      </ul>
      {config.issues.map((issue) => (
        <span key={issue}>{issue}</span>
      ))}
      {askedPlaceholders(config, choice).map(
        ({ name, label, isPassword, isNeeded, hasDefault }) => (
          <Field
            key={name}
            label={name}
            note={[
              label,
              isNeeded
                ? 'needed; will stand in the command or URL, for all to read'
                : hasDefault
                  ? 'the file has a default'
                  : 'can be given later',
            ]
              .filter((words) => words !== null)
              .join('; ')}
          >
            {(ids) => (
              <TextInput
                {...ids}
                mono
                type={isPassword || !isNeeded ? 'password' : 'text'}
                value={choice.values.get(name) ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setChoice((before) => ({
                    ...before,
                    values: new Map(before.values).set(name, value),
                  }));
                }}
              />
            )}
          </Field>
        ),
      )}
      <span className={styles.foot}>
        <Button kind="primary" unavailable={problem !== null || take.isPending} onClick={keep}>
          Keep {choice.picked.size === 0 ? 'them' : countOf(choice.picked.size, 'server')}
        </Button>
        <span className={`${text.tertiary} ${text.ellipsis}`}>{problem ?? 'starts nothing'}</span>
      </span>
      {take.isError ? <ProblemLine error={take.error} /> : null}
    </>
  );
}
