/** Where in a JSON text, which may be unfinished, something could be completed. */
export interface CompletionPlace {
  readonly kind: 'key' | 'value';
  /** Keys and indexes that lead to the object whose key it is, or to the value itself. */
  readonly path: readonly (string | number)[];
  /** What would be replaced: offsets in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** Other keys of the same object, before and after. */
  readonly otherKeys: ReadonlySet<string>;
  /** True where a colon follows already. */
  readonly hasColon: boolean;
}

interface Open {
  readonly kind: 'object' | 'array';
  readonly keys: { readonly start: number; readonly key: string }[];
  /** The key whose value comes, or the index of the item. */
  key: string;
  index: number;
  expects: 'key' | 'colon' | 'value' | 'comma';
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const WORD = /[A-Za-z0-9_.+-]/;
const LONGEST_TEXT = 1_000_000;

/**
 * Reads a text up to a caret and beyond as far as it can be read, without recursion. A string that
 * nobody closed ends with its line. Null inside white space between a value and the next comma, and
 * in texts of more than a million characters.
 */
export function completionPlace(text: string, caret: number): CompletionPlace | null {
  if (text.length > LONGEST_TEXT) return null;
  const stack: Open[] = [];
  let found: { open: Open; path: (string | number)[]; token: Token; kind: 'key' | 'value' } | null =
    null;
  let isOver = false;
  const meet = (token: Token) => {
    const open = stack.at(-1);
    if (found !== null || isOver || open === undefined) return;
    if (token.start > caret || token.end < caret) return;
    isOver = true;
    if (open.expects !== 'key' && open.expects !== 'value') return;
    const path = stack.slice(0, -1).map((each) => (each.kind === 'object' ? each.key : each.index));
    if (open.expects === 'key') found = { open, path, token, kind: 'key' };
    else {
      const step = open.kind === 'object' ? open.key : open.index;
      found = { open, path: [...path, step], token, kind: 'value' };
    }
  };
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at, caret);
    // The caret stands in the white space before this token.
    if (token.start > caret || (token.start === caret && !isWordLike(token.text))) {
      meet({ start: caret, end: caret, text: '' });
    }
    if (isWordLike(token.text)) meet(token);
    if (token.text !== '') step(stack, token);
    at = token.end;
    if (stack.length === 0 && isOver) break;
    if (found !== null && !stack.includes((found as { open: Open }).open)) break;
  }
  if (at >= text.length) meet({ start: caret, end: caret, text: '' });
  // Assigned inside `meet`, which the compiler does not follow.
  const place = found as {
    open: Open;
    path: (string | number)[];
    token: Token;
    kind: 'key' | 'value';
  } | null;
  if (place === null) return null;
  const { open, path, kind, token } = place;
  const others = open.keys.filter(({ start }) => start !== token.start || token.text === '');
  return {
    kind,
    path,
    from: token.start,
    to: token.end,
    otherKeys: new Set(others.map(({ key }) => key)),
    hasColon: /^\s*:/.test(text.slice(token.end, token.end + 100)),
  };
}

function isWordLike(text: string): boolean {
  return text !== '' && (text.startsWith('"') || WORD.test(text.charAt(0)));
}

/** The token that begins at or after `from`; the empty text at the end of all. */
function tokenAt(text: string, from: number, caret: number): Token {
  let start = from;
  while (start < text.length && /\s/.test(text.charAt(start))) start += 1;
  const first = text.charAt(start);
  if (first === '') return { start, end: start, text: '' };
  let end = start + 1;
  if (first === '"') end = endOfString(text, start, caret);
  else if (WORD.test(first)) while (WORD.test(text.charAt(end))) end += 1;
  return { start, end, text: text.slice(start, end) };
}

function endOfString(text: string, start: number, caret: number): number {
  let end = start + 1;
  while (end < text.length && text.charAt(end) !== '"' && text.charAt(end) !== '\n') {
    end += text.charAt(end) === '\\' ? 2 : 1;
  }
  end = Math.min(end, text.length);
  const isClosed = text.charAt(end) === '"';
  const rest = text.slice(caret, end);
  // A quote that was just opened would take the next one's key into its string.
  if (caret > start && caret <= end && (!isClosed || /[,:{}[\]]/.test(rest))) return caret;
  return isClosed ? end + 1 : end;
}

function step(stack: Open[], token: Token): void {
  const open = stack.at(-1);
  switch (token.text) {
    case '{':
      stack.push({ kind: 'object', keys: [], key: '', index: 0, expects: 'key' });
      return;
    case '[':
      stack.push({ kind: 'array', keys: [], key: '', index: 0, expects: 'value' });
      return;
    case '}':
    case ']': {
      stack.pop();
      const outer = stack.at(-1);
      if (outer !== undefined) outer.expects = 'comma';
      return;
    }
    case ':':
      if (open?.kind === 'object') open.expects = 'value';
      return;
    case ',':
      if (open === undefined) return;
      open.index += 1;
      open.expects = open.kind === 'object' ? 'key' : 'value';
      return;
  }
  if (open === undefined) return;
  if (open.kind === 'object' && open.expects === 'key') {
    open.key = keyOf(token.text);
    open.keys.push({ start: token.start, key: open.key });
    open.expects = 'colon';
  } else {
    // After a line that lacks its comma the next name is a key again.
    open.expects = 'comma';
  }
}

function keyOf(text: string): string {
  const closed = text.length > 1 && text.endsWith('"') ? text : `${text}"`;
  try {
    const key: unknown = JSON.parse(text.startsWith('"') ? closed : `"${text}"`);
    return typeof key === 'string' ? key : text;
  } catch {
    return text;
  }
}
