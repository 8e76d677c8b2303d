import type { ReceiptAccount } from '@misstep/contract';
import type { Receipt } from '@misstep/model';
import { useVerifyReceipt } from '../../api/replay-account.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import bytes from '../step-panel/bytes.module.css';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './comparison.module.css';
import parts from './comparison-parts.module.css';
import columns from './replay-screen.module.css';

/** The immutable account of the replay: its hashes, and whether they hold against the frames. */
export function ReceiptPanel(props: { account: ReceiptAccount | undefined; replayId: string }) {
  const { account } = props;
  const verify = useVerifyReceipt(props.replayId);
  if (account === undefined) {
    return (
      <>
        <p className={columns.empty}>
          This replay has no receipt: it did not end by itself, or nothing was planned to be sent.
        </p>
        <div className={columns.spacer} />
      </>
    );
  }
  return (
    <div className={columns.scroll} role="region" aria-label="Receipt" tabIndex={0}>
      <PanelHead title="Receipt" level={3} note="made once, never changed">
        <Button small unavailable={verify.isPending} onClick={() => verify.mutate()}>
          Verify
        </Button>
      </PanelHead>
      <div role="status">
        {verify.data === undefined ? null : (
          <p className={parts.verified}>
            <Icon name={verify.data.verified ? 'check' : 'notEqual'} />
            {verify.data.sentence}
          </p>
        )}
      </div>
      {verify.error === null ? null : (
        <ProblemNotice error={verify.error} title="The receipt can't be verified" />
      )}
      {(verify.data?.checks ?? [])
        .filter(({ state }) => state !== 'matches')
        .map((check) => (
          <Fact
            key={check.field}
            name={check.field}
            text={`${check.state}: ${check.note ?? ''} receipt ${check.inReceipt ?? '—'}, frames ${check.inFrames ?? '—'}`}
          />
        ))}
      {factsOf(account).map(([name, text]) => (
        <Fact key={name} name={name} text={text} />
      ))}
      {account.notChecked === undefined ? null : (
        <p className={styles.note}>{account.notChecked}</p>
      )}
      {account.exportNotes
        .filter((note) => note !== account.notChecked)
        .map((note) => (
          <p key={note} className={styles.note}>
            {`In the exported file: ${note}`}
          </p>
        ))}
    </div>
  );
}

function Fact(props: { name: string; text: string }) {
  return (
    <div className={bytes.fact}>
      <span>{props.name}</span>
      <span className={bytes.mono}>{visibleLine(props.text)}</span>
    </div>
  );
}

function protocolWords({ protocolRevision, protocolEra, rounds = 1 }: Receipt): string {
  const era = protocolEra == null ? '' : `, ${protocolEra} era`;
  const requests = rounds > 1 ? `, ${rounds} requests for the call` : '';
  return `${protocolRevision ?? 'not agreed on'}${era}${requests}`;
}

function askWords({ byPerson, byDefault, unanswered }: NonNullable<Receipt['asks']>): string {
  const open = unanswered === 0 ? '' : `, ${unanswered} unanswered`;
  return `${byPerson} answered by a person, ${byDefault} by default${open}`;
}

function factsOf({ receipt, receiptSha256 }: ReceiptAccount): [string, string][] {
  const { arguments: sent, result, toolDefinition } = receipt;
  return [
    ['id', receipt.id],
    ['receipt', `SHA-256 ${receiptSha256}`],
    ['arguments', `${formatCount(sent.sizeBytes)} B, SHA-256 ${sent.sha256}`],
    ['as recorded', sent.recordedSha256 === null ? 'not in the recording' : sent.recordedSha256],
    ['canonical', `${sent.canonicalSha256} (${receipt.canonicalization})`],
    ['tool', toolDefinition.sha256 ?? 'not listed by the server'],
    [
      'result',
      result.sha256 === null
        ? 'none'
        : `${formatCount(result.sizeBytes ?? 0)} B, SHA-256 ${result.sha256}`,
    ],
    ['target', `${receipt.target.name}, ${receipt.transport}, a fresh connection`],
    ['protocol', protocolWords(receipt)],
    ...(receipt.asks === undefined
      ? []
      : [['server asked', askWords(receipt.asks)] satisfies [string, string]]),
    ['started', receipt.startedAt],
    ['ended', receipt.endedAt],
    ['outcome', receipt.outcome],
    ['Misstep', receipt.misstepVersion],
  ];
}
