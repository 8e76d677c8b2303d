import { useState } from 'react';
import { Field, TextInput } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import setupStyles from './setup.module.css';
import { within } from './setup-model.ts';

/**
 * A whole number between two ends. Each keystroke that makes one counts at once, so that a press
 * elsewhere finds the plan that is shown; what is no such number yet is put right on leaving.
 */
export function NumberField(props: {
  label: string;
  note?: string;
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
}) {
  const { value, least, most } = props;
  // Null = as the value stands; else as typed.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={props.label} {...(props.note === undefined ? {} : { note: props.note })}>
      {(ids) => (
        <span className={text.row}>
          <TextInput
            {...ids}
            type="number"
            className={setupStyles.number ?? ''}
            min={least}
            max={most}
            value={typed ?? String(value)}
            onChange={(event) => {
              const given = event.currentTarget.value;
              setTyped(given);
              const number = Number(given);
              if (given !== '' && number === within(number, least, most)) props.onChange(number);
            }}
            onBlur={() => {
              if (typed !== null && typed !== '') {
                const number = within(Number(typed), least, most);
                if (number !== value) props.onChange(number);
              }
              setTyped(null);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur();
            }}
          />
          <span className={text.tertiary}>{`${least} to ${most}`}</span>
        </span>
      )}
    </Field>
  );
}
