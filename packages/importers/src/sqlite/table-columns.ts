import type { TableKind } from './database-page.ts';

/** Columns of a table, from the statement that made it. */
export interface TableColumns {
  readonly names: readonly string[];
  /** The column that is the rowid itself, which rows don't hold; -1 where there is none. */
  readonly rowidColumn: number;
  readonly kind: TableKind;
  /** Which value of a row is each column's: keyed tables keep their primary key first. */
  readonly stored: readonly number[];
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[(),]|[^\s(),"'`[\]]+|[\s\S]/g;
const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)$/i;

/** Null where the statement makes no table with rows of its own (virtual tables). */
export function columnsOf(sql: string): TableColumns | null {
  if (!/^\s*create\s+table\b/i.test(sql)) return null;
  const names: string[] = [];
  /** Parts of the primary key in its order. */
  const key: string[] = [];
  let rowidColumn = -1;
  let depth = 0;
  let words: string[] = [];
  let inner: string[][] = [];
  let rest = '';
  const close = (): void => {
    const [name, type = '', ...more] = words;
    const lists = inner;
    words = [];
    inner = [];
    if (name === undefined) return;
    if (CONSTRAINT.test(name)) {
      const isKey = /^(?:constraint \S+ )?primary key\b/i.test([name, type, ...more].join(' '));
      if (isKey) for (const [part = ''] of lists) key.push(unquoted(part).toLowerCase());
      return;
    }
    const isKey = /\bprimary key\b/i.test([type, ...more].join(' '));
    const isAscending = !/\bprimary key desc\b/i.test(more.join(' '));
    if (/^integer$/i.test(type) && isKey && isAscending) rowidColumn = names.length;
    names.push(unquoted(name).toLowerCase());
    if (isKey) key.push(unquoted(name).toLowerCase());
  };
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue;
    if (token === '(') {
      depth += 1;
      if (depth === 2) inner.push([]);
    } else if (token === ')') {
      depth -= 1;
      rest = sql.slice(index + 1);
      if (depth === 0) break;
    } else if (depth === 1 && token === ',') close();
    else if (depth === 1) words.push(token);
    else if (depth === 2 && token === ',') inner.push([]);
    else if (depth === 2) inner.at(-1)?.push(token);
  }
  close();
  if (names.length === 0) return null;
  if (!/\bwithout\s+rowid\b/i.test(rest)) {
    return { names, rowidColumn, kind: 'rowid', stored: names.map((_name, at) => at) };
  }
  const first = [...new Set(key)].filter((name) => names.includes(name));
  const order = [...first, ...names.filter((name) => !first.includes(name))];
  return {
    names,
    rowidColumn: -1,
    kind: 'keyed',
    stored: names.map((name) => order.indexOf(name)),
  };
}

function unquoted(name: string): string {
  const quote = name[0] ?? '';
  if (quote === '[') return name.slice(1, -1);
  if (!/["`']/.test(quote) || name.length < 2) return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}
