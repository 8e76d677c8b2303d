import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './menu.module.css';
import { useHeardGuards } from './use-heard-guards.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly onSelect: () => void;
  /** Said instead of doing: the item stays readable and does nothing. */
  readonly unavailable?: string;
  /** Ticked or not, and the menu stays open; undefined = a command, which closes it. */
  readonly checked?: boolean;
}

/** A list of commands behind a button. The trigger is the button itself. */
export function Menu(props: { trigger: ReactElement; label: string; items: readonly MenuItem[] }) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={props.trigger} />
      <BaseMenu.Portal container={document.querySelector('main')}>
        <BaseMenu.Positioner
          className={styles.positioner}
          sideOffset={2}
          align="end"
          collisionPadding={4}
        >
          <BaseMenu.Popup className={styles.popup} aria-label={props.label}>
            <HeardGuards />
            {props.items.map((item) =>
              item.checked === undefined ? (
                <BaseMenu.Item
                  key={item.id}
                  className={styles.item}
                  disabled={item.unavailable !== undefined}
                  title={item.unavailable}
                  onClick={item.onSelect}
                >
                  {item.label}
                </BaseMenu.Item>
              ) : (
                <BaseMenu.CheckboxItem
                  key={item.id}
                  className={styles.item}
                  checked={item.checked}
                  onCheckedChange={item.onSelect}
                >
                  <span className={styles.tick}>
                    {item.checked ? <Icon name="check" small /> : null}
                  </span>
                  {item.label}
                </BaseMenu.CheckboxItem>
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** Mounted while the menu is open, and only then. */
function HeardGuards() {
  useHeardGuards();
  return null;
}
