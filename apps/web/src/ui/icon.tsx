import { classNames } from './class-names.ts';
import styles from './icon.module.css';
import { ICON_SHAPES, type IconName, type IconPath } from './icon-shapes.ts';

/**
 * Every icon once, as symbols that `Icon` refers to, and the two hatch patterns that SVG bars use
 * (`#hatch-rendered`, `#hatch-idle`). Rendered once, by the shell.
 */
export function IconSprite() {
  return (
    <svg width="0" height="0" className={styles.sprite} aria-hidden="true">
      <title>Icons</title>
      <defs>
        {Object.entries(ICON_SHAPES).map(([name, paths]: [string, readonly IconPath[]]) => (
          <symbol key={name} id={`icon-${name}`} viewBox="0 0 14 14">
            {paths.map((path) => (
              <path
                key={path.d}
                d={path.d}
                {...(path.filled ? { fill: 'currentColor', stroke: 'none' } : {})}
                {...(path.strokeWidth === undefined ? {} : { strokeWidth: path.strokeWidth })}
                {...(path.dash === undefined ? {} : { strokeDasharray: path.dash })}
              />
            ))}
          </symbol>
        ))}
        <pattern
          id="hatch-rendered"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="4" height="4" className={styles.renderedGround} />
          <rect width="2" height="4" className={styles.renderedStripe} />
        </pattern>
        <pattern
          id="hatch-idle"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="6" height="6" className={styles.idleGround} />
          <rect width="1" height="6" className={styles.idleStripe} />
        </pattern>
      </defs>
    </svg>
  );
}

/** An icon in the current colour: 14 px, 12 px when `small`. A word beside it says what it means. */
export function Icon(props: { name: IconName; small?: boolean; className?: string | undefined }) {
  return (
    <svg
      className={classNames(styles.icon, props.small && styles.small, props.className)}
      aria-hidden="true"
    >
      <use href={`#icon-${props.name}`} />
    </svg>
  );
}
