/** `${input:key}`, `${env:NAME}`, `${NAME:-default}`, `{env:NAME}`: what a client would fill in. */
const PLACEHOLDER = /\$\{([^{}]{1,256})\}|\{((?:env|file):[^{}]{1,256})\}/g;
/** A whole value may also be `$NAME`. */
const WHOLE_VALUE = /^\$([A-Za-z_][A-Za-z0-9_]{0,255})$/;

export interface Placeholder {
  /** What the person gives a value for. */
  readonly name: string;
  /** What the file says is meant where nobody gives one. */
  readonly fallback: string | null;
}

export function placeholdersOf(text: string, isWholeValue: boolean): Placeholder[] {
  const whole = isWholeValue ? WHOLE_VALUE.exec(text) : null;
  if (whole !== null) return [{ name: whole[1] ?? '', fallback: null }];
  return [...text.matchAll(PLACEHOLDER)].map((match) =>
    readPlaceholder(match[1] ?? match[2] ?? ''),
  );
}

/**
 * The text with values in place of its placeholders, once over: a value that looks like one stays
 * as it is. Null where one has no value.
 */
export function fillIn(
  text: string,
  values: ReadonlyMap<string, string>,
  isWholeValue: boolean,
): string | null {
  const textFor = ({ name, fallback }: Placeholder) => values.get(name) ?? fallback;
  const [whole] = isWholeValue && WHOLE_VALUE.test(text) ? placeholdersOf(text, true) : [];
  if (whole !== undefined) return textFor(whole);
  let isWhole = true;
  const filled = text.replace(PLACEHOLDER, (_match, braces?: string, bare?: string) => {
    const value = textFor(readPlaceholder(braces ?? bare ?? ''));
    if (value === null) isWhole = false;
    return value ?? '';
  });
  return isWhole ? filled : null;
}

function readPlaceholder(inside: string): Placeholder {
  const at = inside.indexOf(':-');
  return at < 0
    ? { name: inside, fallback: null }
    : { name: inside.slice(0, at), fallback: inside.slice(at + 2) };
}
