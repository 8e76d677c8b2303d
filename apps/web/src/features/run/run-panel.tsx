import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import list from './panel-list.module.css';

/** What stands in the step panel's place: its head with the way back, and whatever it lists. */
export function RunPanel(props: {
  title: string;
  note: string;
  className?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, note, className = list.panel } = props;
  return (
    <aside className={className} aria-label={title}>
      <PanelHead title={title} note={note}>
        <Button small kind="quiet" onClick={props.onClose}>
          Back to the step
        </Button>
      </PanelHead>
      {props.children}
    </aside>
  );
}
