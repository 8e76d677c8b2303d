import { PriceAmountSchema } from '@misstep/model';
import { useState } from 'react';
import { type GivenPrice, useSetPrice } from '../../api/prices.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, Field, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import page from '../../ui/page.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './prices-screen.module.css';

type Amount = 'input' | 'cacheRead' | 'cacheWrite' | 'output';

const AMOUNTS: readonly { key: Amount; label: string; needed: boolean }[] = [
  { key: 'input', label: 'Input', needed: true },
  { key: 'cacheRead', label: 'Cache read', needed: false },
  { key: 'cacheWrite', label: 'Cache write', needed: false },
  { key: 'output', label: 'Output', needed: true },
];

/** Sets your own price of a model. `start` is what the fields begin with. */
export function PriceForm(props: { start: Partial<GivenPrice>; onDone: () => void }) {
  const { start } = props;
  const [model, setModel] = useState(start.model ?? '');
  const [source, setSource] = useState(start.source ?? '');
  const [long, setLong] = useState(start.longInputCostsMore ?? false);
  const [texts, setTexts] = useState<Readonly<Record<Amount, string>>>({
    input: start.input ?? '',
    cacheRead: start.cacheRead ?? '',
    cacheWrite: start.cacheWrite ?? '',
    output: start.output ?? '',
  });
  const [asked, setAsked] = useState(false);
  const set = useSetPrice();
  const faultOf = (key: Amount, needed: boolean): string | null => {
    const written = texts[key].trim();
    if (written === '') return needed ? 'An amount is needed.' : null;
    const read = PriceAmountSchema.safeParse(written);
    return read.success ? null : 'Write it as 3 or 0.25, with six decimals at most.';
  };
  const hasFault =
    model.trim() === '' || AMOUNTS.some(({ key, needed }) => faultOf(key, needed) !== null);
  const submit = () => {
    setAsked(true);
    if (hasFault || set.isPending) return;
    const orNull = (written: string) => (written.trim() === '' ? null : written.trim());
    set.mutate(
      {
        model: model.trim(),
        input: texts.input.trim(),
        cacheRead: orNull(texts.cacheRead),
        cacheWrite: orNull(texts.cacheWrite),
        output: texts.output.trim(),
        longInputCostsMore: long,
        source: source.trim() || 'set by you',
      },
      { onSuccess: props.onDone },
    );
  };
  return (
    <Notice title="Your price" note="USD for a million tokens; it goes before the table">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Model"
          note="its id as recordings write it; * stands for any characters"
          error={asked && model.trim() === '' ? 'A model is needed.' : null}
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              autoFocus
              maxLength={200}
              value={model}
              onChange={(event) => setModel(event.currentTarget.value)}
            />
          )}
        </Field>
        <div className={styles.amounts}>
          {AMOUNTS.map(({ key, label, needed }) => (
            <Field
              key={key}
              label={label}
              note={needed ? undefined : 'empty = as input'}
              error={asked ? faultOf(key, needed) : null}
            >
              {(ids) => (
                <TextInput
                  {...ids}
                  inputMode="decimal"
                  value={texts[key]}
                  onChange={(event) => {
                    const written = event.currentTarget.value;
                    setTexts((before) => ({ ...before, [key]: written }));
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        <CheckBox checked={long} onChange={setLong}>
          Calls with more than 200,000 input tokens cost more: show theirs as a lower bound
        </CheckBox>
        <Field label="Known from">
          {(ids) => (
            <TextInput
              {...ids}
              maxLength={200}
              placeholder="our contract, a price list and its day"
              value={source}
              onChange={(event) => setSource(event.currentTarget.value)}
            />
          )}
        </Field>
        <div className={page.answers}>
          <Button kind="primary" type="submit" unavailable={set.isPending}>
            Set price
          </Button>
          <Button onClick={props.onDone}>Cancel</Button>
          {set.isError ? <ProblemLine error={set.error} /> : null}
        </div>
      </form>
    </Notice>
  );
}
