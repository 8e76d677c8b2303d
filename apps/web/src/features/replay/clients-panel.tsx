import type { ClientVerdict } from '@misstep/contract';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Worded } from '../step-panel/worded.tsx';
import styles from './draft.module.css';
import type { Draft } from './use-draft.ts';

const MOST_FAULTS = 5;

/** The same arguments, and the whole list of tools, as two kinds of client take them. */
export function ClientsPanel(props: { draft: Draft }) {
  const { checked, stepTool, problem } = props.draft;
  const check = problem === null ? (checked?.check ?? null) : null;
  const toolList = stepTool?.live?.toolList ?? null;
  if (check === null && toolList === null) return null;
  return (
    <section aria-label="Clients">
      <PanelHead
        title="Clients"
        note={
          check === null
            ? 'how they take the tools'
            : check.by === 'live'
              ? 'by the live schema'
              : 'by the recorded schema'
        }
      />
      <ul>
        {check === null ? null : (
          <>
            <ClientRow verdict={check.strict} />
            <ClientRow verdict={check.lenient} />
          </>
        )}
        {check?.remarks.map((remark) => (
          <li key={remark} className={styles.client}>
            <Icon name="note" />
            <span className={styles.secondary}>remark</span>
            <span className={styles.clientWords}>
              <Worded text={`${remark}.`} />
            </span>
          </li>
        ))}
        {toolList === null ? null : (
          <li className={styles.client}>
            <Icon
              name={
                toolList.reach === 'all' ? 'cross' : toolList.reach === null ? 'check' : 'warning'
              }
              className={toolList.reach === 'all' ? styles.error : ''}
            />
            <span className={styles.clientName}>tools/list</span>
            <span className={styles.clientWords}>
              <Worded text={toolList.sentence} />
              {toolList.faults.length > 1 ? (
                <details>
                  <summary>{`${toolList.faults.length + toolList.faultsOmitted} faults`}</summary>
                  <ul>
                    {toolList.faults.slice(0, MOST_FAULTS).map((fault) => (
                      <li key={`${fault.tool} ${fault.pointer} ${fault.kind}`}>
                        <Worded text={`\`${fault.tool}\`: ${fault.words}`} />
                      </li>
                    ))}
                  </ul>
                  {toolList.faults.length > MOST_FAULTS
                    ? `${toolList.faults.length + toolList.faultsOmitted - MOST_FAULTS} more in misstep schema`
                    : null}
                </details>
              ) : null}
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

const LOOKS: Readonly<Record<ClientVerdict['verdict'], IconName>> = {
  accepted: 'check',
  refused: 'cross',
  'not checked': 'unknown',
};

function ClientRow(props: { verdict: ClientVerdict }) {
  const { client, verdict, sentence } = props.verdict;
  return (
    <li className={styles.client}>
      <Icon name={LOOKS[verdict]} className={verdict === 'refused' ? styles.error : ''} />
      <span className={styles.clientName}>{client}</span>
      <span className={styles.clientWords}>
        <Worded text={sentence} />
      </span>
    </li>
  );
}
