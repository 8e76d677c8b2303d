import type { ImportState } from '@misstep/contract';
import { useState } from 'react';
import {
  inputOfImport,
  sourceCount,
  useDismissImport,
  useFormats,
  useStartImport,
} from '../../api/imports.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectInput } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded, wordedLine } from '../step-panel/worded.tsx';
import styles from './import-list.module.css';
import { ReadAs } from './read-as.tsx';

/** What failed, what to do, and the format overruled where the bytes are here or in this page. */
export function FailedImport(props: { state: ImportState }) {
  const { state } = props;
  const start = useStartImport();
  const dismiss = useDismissImport();
  const formats = useFormats();
  const [format, setFormat] = useState('');
  const input = inputOfImport(state.id);
  const { onlySource } = state.summary;
  const { message = 'It failed without saying why.', hint = '' } = state.error ?? {};
  const words = `${message} ${hint}`.trim();
  return (
    <span className={classNames(styles.state, styles.wideState, styles.result)}>
      <span role="alert" className={`${text.error} ${text.ellipsis}`} title={wordedLine(words)}>
        <Worded text={words} />
      </span>
      {onlySource !== null ? (
        <>
          <span className={text.secondary}>Read as</span>
          <ReadAs sha256={onlySource} name={visibleLine(state.name)} readAs={[]} />
        </>
      ) : sourceCount(state) > 1 ? (
        <span className={text.secondary}>Each source has its own choice.</span>
      ) : input === undefined ? (
        <span className={text.secondary}>Choose the file again to retry.</span>
      ) : (
        <>
          <SelectInput
            aria-label={`Read ${state.name} as`}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
          >
            <option value="">by content</option>
            {formats.data?.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </SelectInput>
          <Button
            small
            unavailable={start.isPending}
            onClick={() =>
              start.mutate(
                { input, format: format === '' ? null : format },
                { onSuccess: () => dismiss.mutate(state.id) },
              )
            }
          >
            Try again
          </Button>
        </>
      )}
    </span>
  );
}
