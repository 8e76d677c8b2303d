import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../../ui/class-names.ts';
import styles from './status-items.module.css';

/** Where the status bar takes what the screen has to say; null until it is there. */
export const StatusSlotContext = createContext<HTMLElement | null>(null);

/** Puts a screen's counts and states at the left of the status bar. */
export function StatusItems(props: { children: ReactNode }) {
  const slot = use(StatusSlotContext);
  return slot === null ? null : createPortal(props.children, slot);
}

/** One item: words, links and icons in a row; `wideOnly` ones make room for others first. */
export function StatusItem(props: { children: ReactNode; title?: string; wideOnly?: boolean }) {
  return (
    <span
      className={classNames(styles.item, props.wideOnly === true && styles.wideOnly)}
      title={props.title}
    >
      {props.children}
    </span>
  );
}
