import { useState } from 'react';
import { useReadSourceAs } from '../../api/formats.ts';
import { useFormats } from '../../api/imports.ts';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './read-as.module.css';

/** Has the bytes that are here read once more, as a format of the person's choice. */
export function ReadAs(props: {
  sha256: string;
  name: string;
  /** What it was read as already: that would change nothing. */
  readAs: readonly string[];
}) {
  const formats = useFormats();
  const read = useReadSourceAs();
  const [format, setFormat] = useState('');
  const choices = (formats.data ?? [])
    .filter(({ id }) => !props.readAs.includes(id))
    .sort((a, b) => a.title.localeCompare(b.title));
  return (
    <span className={styles.readAs}>
      <SelectInput
        aria-label={`Read ${props.name} as`}
        className={styles.format}
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value)}
      >
        <option value="">choose a format</option>
        {choices.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectInput>
      <Button
        small
        unavailable={format === '' || read.isPending}
        aria-label={`Read ${props.name} as the chosen format`}
        title={format === '' ? 'Choose a format first' : 'Its bytes are read once more'}
        onClick={() =>
          read.mutate({ sha256: props.sha256, format }, { onSuccess: () => setFormat('') })
        }
      >
        Read
      </Button>
      {read.isError ? <ProblemLine error={read.error} /> : null}
    </span>
  );
}
