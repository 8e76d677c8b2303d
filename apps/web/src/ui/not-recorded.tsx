import text from './text.module.css';

/** What a source doesn't hold: never 0, never blank. */
export function NotRecorded(props: { children?: string; title?: string }) {
  return (
    <span className={text.tertiary} title={props.title ?? 'not recorded'}>
      {props.children ?? '—'}
    </span>
  );
}
