import type { ReceiverState } from '@misstep/contract';
import { useState } from 'react';
import { useMakeReceiverToken, useReceiver, useRemoveReceiverToken } from '../../api/receiver.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { formatMoment } from '../../ui/format-time.ts';
import { Notice } from '../../ui/notice.tsx';
import page from '../../ui/page.module.css';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine, ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import styles from './receiver-screen.module.css';

/** What a running agent needs to send its OpenTelemetry spans here, and what came. */
export function ReceiverScreen() {
  useTitle('Receive spans');
  const receiver = useReceiver();
  const make = useMakeReceiverToken();
  const remove = useRemoveReceiverToken();
  const state = receiver.data;
  const makeToken = () => make.mutate();
  return (
    <div className={page.screen}>
      <PanelHead
        level={1}
        title="Receive spans"
        note="of agents that run on this machine, through their OpenTelemetry exporter"
      />
      <div className={classNames(page.body, styles.narrow)}>
        {receiver.isError ? (
          <ProblemNotice
            title="The receiver can’t be asked"
            error={receiver.error}
            onRetry={() => void receiver.refetch()}
          />
        ) : state === undefined ? null : state.tokenMadeAt === null ? (
          <Notice title="Receive spans" note="off">
            <span>
              No spans are taken. Make a token, put the lines that are then shown into the
              environment of the agent, and its run appears in the list while it works.
            </span>
            <span className={text.secondary}>
              The token can send spans and nothing else. It is shown once.
            </span>
            <Button small unavailable={make.isPending} onClick={makeToken}>
              Make a token
            </Button>
          </Notice>
        ) : (
          <>
            {make.data === undefined ? (
              <Environment lines={state.environment} isWhole={false} />
            ) : (
              <Environment lines={make.data.environment} isWhole />
            )}
            <Facts state={state} />
            <div className={page.answers}>
              <Button
                unavailable={make.isPending}
                title="The token made before holds no longer"
                onClick={makeToken}
              >
                New token
              </Button>
              <Button
                unavailable={remove.isPending}
                title="What was received stays"
                onClick={() => remove.mutate(undefined, { onSuccess: () => make.reset() })}
              >
                Take no more spans
              </Button>
            </div>
          </>
        )}
        {make.isError ? <ProblemLine error={make.error} /> : null}
        {remove.isError ? <ProblemLine error={remove.error} /> : null}
        <span className={text.secondary}>
          From a terminal: <code className={text.mono}>npx misstep otlp</code>
        </span>
      </div>
      <StatusItems>
        {state === undefined ? null : (
          <StatusItem>{countOf(state.spans, 'span')} received since the start</StatusItem>
        )}
      </StatusItems>
    </div>
  );
}

/** The lines to paste; without the token where that was shown before. */
function Environment(props: { lines: readonly string[]; isWhole: boolean }) {
  const [copied, setCopied] = useState(false);
  const shell = props.lines.map((line) => `export ${line}`).join('\n');
  return (
    <Notice
      title="For the agent’s environment"
      note={
        props.isWhole ? 'the token is shown this once' : 'with your token in place of YOUR_TOKEN'
      }
    >
      {props.isWhole ? null : (
        <span>
          The token was shown when it was made, and nobody can look it up again. If you no longer
          have it, New token makes another; the one from before then holds no longer.
        </span>
      )}
      <code className={styles.environment}>{shell}</code>
      <span className={page.answers}>
        <Button
          small
          onClick={() => void navigator.clipboard.writeText(shell).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </span>
    </Notice>
  );
}

function Facts(props: { state: ReceiverState }) {
  const { endpoint, tokenMadeAt, requests, spans, rejectedSpans, lastReceivedAt } = props.state;
  const { logRecords } = props.state;
  const rejected = rejectedSpans > 0 ? `, ${formatCount(rejectedSpans)} without a trace id` : '';
  const logged = logRecords > 0 ? ` and ${countOf(logRecords, 'log record')}` : '';
  return (
    <dl className={styles.facts}>
      <dt>Endpoint</dt>
      <dd className={text.mono}>{endpoint}</dd>
      <dt>Token made</dt>
      <dd>{formatMoment(tokenMadeAt)}</dd>
      <dt>Since the start</dt>
      <dd>{`${countOf(spans, 'span')}${logged} in ${countOf(requests, 'request')}${rejected}`}</dd>
      <dt>Last received</dt>
      <dd>{lastReceivedAt === null ? 'nothing yet' : formatMoment(lastReceivedAt)}</dd>
    </dl>
  );
}
