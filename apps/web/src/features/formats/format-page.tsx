import { Fragment, type ReactNode } from 'react';
import text from '../../ui/text.module.css';
import styles from './formats-screen.module.css';
import { type PageBlock, readPage } from './read-page.ts';

/** The page of a format, from its Markdown; always as text. */
export function FormatPage(props: { page: string }) {
  return readPage(props.page).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes.
    <Fragment key={index}>{blockView(block)}</Fragment>
  ));
}

function blockView(block: PageBlock): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <h3 className={styles.heading}>{block.text}</h3>;
    case 'list':
      return (
        <ul className={styles.items}>
          {block.items.map((item) => (
            <li key={item}>{inline(item)}</li>
          ))}
        </ul>
      );
    case 'table':
      return (
        <table className={styles.table}>
          <thead>
            <tr>
              {block.head.map((cell) => (
                <th key={cell} scope="col">
                  {inline(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row) => (
              <tr key={row.join('|')}>
                {row.map((cell, column) => (
                  <td key={`${block.head[column] ?? column}`}>{inline(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'code':
      return <pre className={styles.code}>{block.text}</pre>;
    default:
      return <p>{inline(block.text)}</p>;
  }
}

/** Words between backquotes as code, links as their words. */
function inline(words: string): ReactNode {
  return words
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split(/(`[^`]+`)/)
    .map((part, index) => {
      const key = `${index}-${part}`;
      return part.startsWith('`') && part.length > 2 ? (
        <code key={key} className={text.monoSmall}>
          {part.slice(1, -1)}
        </code>
      ) : (
        <Fragment key={key}>{part}</Fragment>
      );
    });
}
