/** A piece of a format's page: the little of Markdown that those pages are written in. */
export type PageBlock =
  | { readonly kind: 'heading' | 'paragraph' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** The blocks of a page without its title, which stands elsewhere. */
export function readPage(page: string): PageBlock[] {
  const lines = page.replaceAll('\r', '').split('\n');
  const blocks: PageBlock[] = [];
  let at = 0;
  const take = (belongs: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && belongs(line); line = lines[at]) {
      taken.push(line);
      at += 1;
    }
    return taken;
  };
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    if (line.trim() === '' || /^# /.test(line)) at += 1;
    else if (/^#+ /.test(line)) {
      blocks.push({ kind: 'heading', text: line.replace(/^#+ /, '') });
      at += 1;
    } else if (line.startsWith('```')) {
      at += 1;
      blocks.push({ kind: 'code', text: take((each) => !each.startsWith('```')).join('\n') });
      at += 1;
    } else if (line.startsWith('    ')) {
      const code = take((each) => each.startsWith('    '));
      blocks.push({ kind: 'code', text: code.map((each) => each.slice(4)).join('\n') });
    } else if (line.startsWith('|')) {
      const [head = [], , ...rows] = take((each) => each.startsWith('|')).map(cellsOf);
      blocks.push({ kind: 'table', head, rows });
    } else if (isItem(line)) {
      const items = take((each) => isItem(each) || /^\s+\S/.test(each));
      blocks.push({ kind: 'list', items: joinItems(items) });
    } else {
      const words = take(
        (each) => each.trim() !== '' && !/^(?:#|\||```)/.test(each) && !isItem(each),
      );
      blocks.push({ kind: 'paragraph', text: words.map((each) => each.trim()).join(' ') });
    }
  }
  return blocks;
}

function isItem(line: string): boolean {
  return /^(?:[-*]|\d+\.) /.test(line);
}

function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^(?:[-*]|\d+\.) /, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`.trim());
  }
  return items;
}

/** A bar in code is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
