/** Columns of a table, from the statement that made it. */
export interface TableColumns {
  readonly names: readonly string[];
  /** The column that is the rowid itself, which rows don't hold; -1 where there is none. */
  readonly rowidColumn: number;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[(),]|[^\s(),"'`[\]]+|[\s\S]/g;
const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)$/i;

/** Null where the statement makes no table with rows of its own (virtual tables). */
export function columnsOf(sql: string): TableColumns | null {
  if (!/^\s*create\s+table\b/i.test(sql) || /\bwithout\s+rowid\b[^)]*$/i.test(sql)) return null;
  const names: string[] = [];
  let rowidColumn = -1;
  let depth = 0;
  let words: string[] = [];
  const close = (): void => {
    const [name, type = '', ...rest] = words;
    words = [];
    if (name === undefined || CONSTRAINT.test(name)) return;
    const isKey = /\bprimary key\b(?! desc)/i.test(rest.join(' '));
    if (/^integer$/i.test(type) && isKey) rowidColumn = names.length;
    names.push(unquoted(name).toLowerCase());
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue;
    if (token === '(') depth += 1;
    else if (token === ')') {
      depth -= 1;
      if (depth === 0) break;
    } else if (depth === 1 && token === ',') close();
    else if (depth === 1) words.push(token);
  }
  close();
  return names.length === 0 ? null : { names, rowidColumn };
}

function unquoted(name: string): string {
  const quote = name[0] ?? '';
  if (quote === '[') return name.slice(1, -1);
  if (!/["`']/.test(quote) || name.length < 2) return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}
