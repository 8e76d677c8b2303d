import type { ConfigEntry } from '@misstep/contract';
import { Chip } from '../../ui/chip.tsx';
import { CheckBox, TextInput } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import styles from './config-import.module.css';

const VALUE_WORDS: Readonly<Record<ConfigEntry['headers'][number]['state'], string>> = {
  inFile: 'value in the file',
  needsValue: 'needs a value',
  leftOut: 'left out: it steers which code runs',
  refused: 'left out: it can’t be passed on',
};

/** One server of a configuration, its command whole. */
export function ConfigEntryItem(props: {
  entry: ConfigEntry;
  name: string;
  picked: boolean;
  onPick: (picked: boolean) => void;
  onName: (name: string) => void;
}) {
  const { entry } = props;
  const values = [...entry.environment, ...entry.headers];
  return (
    <li aria-label={`Entry ${entry.entry}`} className={styles.entry}>
      <span className={styles.head}>
        {entry.address === null ? (
          <span className={text.medium}>{entry.entry}</span>
        ) : (
          <CheckBox checked={props.picked} onChange={props.onPick}>
            <span className={text.medium}>{entry.entry}</span>
          </CheckBox>
        )}
        <span className={text.tertiary}>{entry.list}</span>
        {entry.disabled ? <Chip>disabled in the file</Chip> : null}
        {entry.address === null ? (
          <Chip tone="truncated" icon="block">
            can’t be used
          </Chip>
        ) : null}
      </span>
      {entry.description === null ? null : (
        <code className={styles.command}>{entry.description}</code>
      )}
      {values.length === 0 ? null : (
        <ul className={styles.values} aria-label="Environment and headers">
          {values.map(({ name, state }) => (
            <li key={name}>
              <code className={text.mono}>{name}</code>{' '}
              <span className={text.tertiary}>{VALUE_WORDS[state]}</span>
            </li>
          ))}
        </ul>
      )}
      {entry.issues.map((issue) => (
        <span key={issue} className={text.secondary}>
          {issue}
        </span>
      ))}
      {props.picked ? (
        <span className={styles.name}>
          <span className={text.tertiary}>keep as</span>
          <TextInput
            aria-label={`Name for ${entry.entry}`}
            maxLength={64}
            value={props.name}
            onChange={(event) => props.onName(event.currentTarget.value)}
          />
        </span>
      ) : null}
    </li>
  );
}
