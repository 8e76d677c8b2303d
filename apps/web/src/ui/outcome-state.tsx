import type { Outcome } from '@misstep/model';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';
import styles from './outcome-state.module.css';

const ICONS: Readonly<Record<Outcome['verdict'], IconName>> = {
  right: 'check',
  wrong: 'cross',
  stopped: 'minus',
};

/** A person's verdict on the run: icon and their words, or the verdict's own. */
export function OutcomeState(props: { outcome: Outcome | null }) {
  const { outcome } = props;
  if (outcome === null) {
    return (
      <span className={styles.unset} title="nobody said how it ended">
        <Icon name="unknown" small />
        not set
      </span>
    );
  }
  const words = outcome.text === '' ? outcome.verdict : outcome.text;
  const title = `${outcome.verdict}: ${words}`;
  return (
    <span className={outcome.verdict === 'wrong' ? styles.wrong : styles.other} title={title}>
      <span className={outcome.verdict === 'wrong' ? styles.cross : undefined}>
        <Icon name={ICONS[outcome.verdict]} small />
      </span>
      <span className={styles.words}>{words}</span>
    </span>
  );
}
