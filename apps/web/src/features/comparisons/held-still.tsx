import type { Experiment } from '@misstep/model';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';

/** What was the same in every send, by the receipts; where it was not, that is said. */
export function HeldStill(props: { experiment: Experiment }) {
  const { sends, plan } = props.experiment;
  const servers = new Set(sends.flatMap(({ server }) => server ?? []));
  const definitions = new Set(sends.flatMap(({ toolSha256 }) => toolSha256 ?? []));
  const known = sends.filter(({ toolSha256 }) => toolSha256 !== null).length;
  const { request } = plan;
  return (
    <>
      <PanelHead title="Held still" />
      <dl className={styles.facts}>
        <dt>Server</dt>
        <dd>
          {servers.size === 0
            ? 'not said'
            : servers.size === 1
              ? `${[...servers].map(visibleLine).join('')}, ${connectionWords(request)}`
              : `not held still: ${[...servers].map(visibleLine).join(', ')}`}
        </dd>
        <dt>Tool</dt>
        <dd>
          {definitions.size === 0
            ? 'not said'
            : definitions.size === 1
              ? definitionWords(known, sends.length)
              : `not held still: ${formatCount(definitions.size)} definitions`}
        </dd>
        <dt>Pins</dt>
        <dd>tool, attempts, rendering, timing</dd>
        <dt>Rate</dt>
        <dd>
          {request.kind === 'race'
            ? `alone ${formatCount(request.gapMs)} ms apart, then ${request.atOnce} at once`
            : `1 send at a time, ${formatCount(request.gapMs)} ms apart`}
        </dd>
      </dl>
    </>
  );
}

function connectionWords(request: Experiment['plan']['request']): string {
  return request.kind === 'race' && request.connections === 'one'
    ? 'a fresh connection for each call alone, one for all at once'
    : 'a fresh connection each';
}

/** A send without a definition is no proof of another one: how many are known is said. */
function definitionWords(known: number, sent: number): string {
  return known === sent
    ? `one definition for ${countOf(sent, 'send')}`
    : `one definition for ${formatCount(known)} of ${countOf(sent, 'send')}; of the others it is not known`;
}
