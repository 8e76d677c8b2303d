import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CheckBox, Field, SelectInput, TextInput } from '../../../ui/field.tsx';
import { countOf } from '../../../ui/format-count.ts';
import { visibleLine } from '../../step-panel/visible-text.ts';
import styles from './asks.module.css';
import { acceptText, type FieldValue, type FormField, fieldProblem } from './form-fields.ts';
import type { AskContent } from './read-ask.ts';
import { ShownTextView } from './shown-text-view.tsx';
import type { Answer } from './use-answer-ask.ts';

/** A small form from an elicitation's schema. Constraints are said, and left to the server to check. */
export function AskForm(props: {
  content: Extract<AskContent, { kind: 'form' }>;
  isBusy: boolean;
  onAnswer: (answer: Answer) => void;
}) {
  const { fields, omittedCount } = props.content.form;
  const [values, setValues] = useState<readonly FieldValue[]>(() =>
    fields.map((field) => field.initial),
  );
  const [wasTried, setWasTried] = useState(false);
  const problems = fields.map((field, at) => fieldProblem(field, values[at] ?? field.initial));
  const accept = () => {
    setWasTried(true);
    if (problems.some((problem) => problem !== null) || props.isBusy) return;
    props.onAnswer({ kind: 'result', text: acceptText(fields, values) });
  };
  const action = (name: string) => props.onAnswer({ kind: 'result', text: `{"action":"${name}"}` });
  return (
    <form
      className={styles.ask}
      aria-label="What the server wants to know"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <div className={styles.message}>
        <ShownTextView value={props.content.message} />
      </div>
      {fields.map((field, at) => (
        <FieldOf
          // The order of the schema's properties never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          key={at}
          field={field}
          value={values[at] ?? field.initial}
          problem={wasTried ? (problems[at] ?? null) : null}
          onChange={(value) =>
            setValues((before) => before.map((each, place) => (place === at ? value : each)))
          }
        />
      ))}
      {omittedCount === 0 ? null : (
        <span className={styles.secondary}>
          {`${countOf(omittedCount, 'field')} more not shown: answer in raw JSON.`}
        </span>
      )}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" unavailable={props.isBusy}>
          Accept
        </Button>
        <Button unavailable={props.isBusy} onClick={() => action('decline')}>
          Decline
        </Button>
        <Button unavailable={props.isBusy} onClick={() => action('cancel')}>
          Cancel the ask
        </Button>
      </div>
    </form>
  );
}

function FieldOf(props: {
  field: FormField;
  value: FieldValue;
  problem: string | null;
  onChange: (value: FieldValue) => void;
}) {
  const { field, value, onChange } = props;
  const label = visibleLine(field.label);
  const notes = [
    ...(field.isRequired ? ['required'] : []),
    ...(field.description === null ? [] : [visibleLine(field.description)]),
    ...field.limits.map(visibleLine),
    ...(field.optionsOmitted === 0 ? [] : [`${field.optionsOmitted} more choices not shown`]),
  ];
  const note = notes.length === 0 ? {} : { note: notes.join('; ') };
  return (
    <Field
      // A tick has its words beside it.
      label={field.kind === 'boolean' ? '' : label}
      error={props.problem}
      group={field.kind === 'several' || field.kind === 'unsupported' || field.kind === 'boolean'}
      {...note}
    >
      {(ids) => {
        switch (field.kind) {
          case 'boolean':
            return (
              <CheckBox checked={value === true} onChange={onChange}>
                {label}
              </CheckBox>
            );
          case 'choice':
            return (
              <SelectInput
                {...ids}
                value={String(value)}
                onChange={(event) => onChange(event.currentTarget.value)}
              >
                <option value="">(none)</option>
                {field.options.map((option, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: choices may be equal and never move.
                  <option key={at} value={option.text}>
                    {visibleLine(option.label)}
                  </option>
                ))}
              </SelectInput>
            );
          case 'several':
            return <Several field={field} label={label} value={value} onChange={onChange} />;
          case 'unsupported':
            return <span className={styles.secondary}>not offered here, only in raw JSON</span>;
          default:
            return (
              <TextInput
                {...ids}
                mono={field.kind === 'number'}
                inputMode={field.kind === 'number' ? 'decimal' : 'text'}
                value={String(value)}
                onChange={(event) => onChange(event.currentTarget.value)}
              />
            );
        }
      }}
    </Field>
  );
}

function Several(props: {
  field: FormField;
  label: string;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
}) {
  const chosen = Array.isArray(props.value) ? props.value.map(String) : [];
  return (
    <span role="group" aria-label={props.label} className={styles.several}>
      {props.field.options.map((option, at) => (
        <CheckBox
          // biome-ignore lint/suspicious/noArrayIndexKey: choices may be equal and never move.
          key={at}
          checked={chosen.includes(option.text)}
          onChange={(isChosen) =>
            props.onChange(
              isChosen ? [...chosen, option.text] : chosen.filter((each) => each !== option.text),
            )
          }
        >
          {visibleLine(option.label)}
        </CheckBox>
      ))}
    </span>
  );
}
