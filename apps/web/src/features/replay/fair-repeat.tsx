import type { Receipt } from '@misstep/model';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './comparison.module.css';

interface FairPoint {
  readonly name: string;
  /** True = the same, false = not, null = can't be known. */
  readonly same: boolean | null;
  readonly words: string;
}

/** What was and was not the same as in the recorded call. A difference is blamed on nothing of it. */
export function FairRepeat(props: { name: string; receipt: Receipt }) {
  return (
    <section aria-label={`Is ${props.name} a fair repeat?`}>
      <PanelHead title={`Is ${props.name} a fair repeat?`} note="what was and was not the same" />
      <ul className={styles.fair}>
        {pointsOf(props.receipt).map((point) => (
          <li key={point.name}>
            <Icon name={iconOf(point.same)} />
            <span className={styles.fairName}>{point.name}</span>
            <span className={styles.fairWords} title={point.words}>
              {point.words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function iconOf(same: boolean | null): IconName {
  if (same === null) return 'unknown';
  return same ? 'check' : 'notEqual';
}

function pointsOf(receipt: Receipt): FairPoint[] {
  const size = receipt.arguments.sizeBytes;
  const sameBytes = receipt.arguments.sameBytesAsRecorded;
  const definition = receipt.toolDefinition;
  const sameDefinition =
    definition.recordedSha256 === null || definition.sha256 === null
      ? null
      : definition.recordedSha256 === definition.sha256;
  const { name, version } = receipt.server;
  const server = [name, version].filter((part) => part !== null).join(' ');
  return [
    {
      name: 'Same argument bytes',
      same: sameBytes,
      words:
        sameBytes === null
          ? 'unknown, not in the recording'
          : sameBytes
            ? `yes, ${size} of ${size}`
            : `no, ${size} B as edited`,
    },
    {
      name: 'Same tool definition',
      same: sameDefinition,
      words:
        sameDefinition === null
          ? definition.sha256 === null
            ? 'unknown, the server lists no such tool'
            : 'unknown, not in the recording'
          : sameDefinition
            ? 'yes, same bytes'
            : 'no, it changed',
    },
    {
      name: 'Same server version',
      same: null,
      words: server === '' ? 'unknown, neither says' : visibleLine(`unknown then, ${server} now`),
    },
    { name: 'Same server state', same: null, words: 'unknown, not observable' },
  ];
}
