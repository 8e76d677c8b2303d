import type { Words } from '@misstep/model';
import { NamedWords } from './named-words.tsx';

/** Of an experiment that still runs: its headline of now, with a blank behind it. `running`: how far it is. */
export function SoFar(props: { running: string | null; headline: Words }) {
  return props.running === null ? null : (
    <>
      {'So far: '}
      <NamedWords words={props.headline} />{' '}
    </>
  );
}
