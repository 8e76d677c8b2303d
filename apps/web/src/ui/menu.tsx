import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly onSelect: () => void;
  /** Said instead of doing: the item stays readable and does nothing. */
  readonly unavailable?: string;
  /** A tick before the words; undefined = an item without one. */
  readonly checked?: boolean;
}

/** A list of commands behind a button. The trigger is the button itself. */
export function Menu(props: { trigger: ReactElement; label: string; items: readonly MenuItem[] }) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={props.trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className={styles.positioner}
          sideOffset={2}
          align="end"
          collisionPadding={4}
        >
          <BaseMenu.Popup className={styles.popup} aria-label={props.label}>
            {props.items.map((item) => (
              <BaseMenu.Item
                key={item.id}
                className={styles.item}
                disabled={item.unavailable !== undefined}
                title={item.unavailable}
                onClick={item.onSelect}
              >
                {item.checked === undefined ? null : (
                  <span className={styles.tick} aria-hidden="true">
                    {item.checked ? '✓' : ''}
                  </span>
                )}
                {item.label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
