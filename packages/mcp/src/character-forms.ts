/** As many as JSON within JSON within JSON within JSON puts before an escaped character. */
const MOST_BACKSLASHES = 15;
const BACKSLASHES = `\\\\{1,${MOST_BACKSLASHES}}`;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\v', 'v'],
]);
/** Also where the ampersand itself was escaped: as HTML once more, as Go writes JSON, or in a URL. */
const ENTITY_START = `(?:&|${BACKSLASHES}u0026|%26)(?:amp;){0,2}`;
const ENTITY_START_AFTER_RUN = '(?:&|u0026|%26)(?:amp;){0,2}';
const LATIN_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHER_NAMES =
  '& amp < lt > gt " quot \' apos / sol \\ bsol = equals + plus # num % percnt : colon ; semi , comma . period ! excl ? quest $ dollar * ast ( lpar ) rpar [ lsqb ] rsqb { lcub } rcub | vert _ lowbar @ commat ` grave ^ Hat';
const ENTITY_NAMES: ReadonlyMap<string, string> = new Map([
  ...LATIN_NAMES.split(' ').map((name, at) => [String.fromCharCode(0xa0 + at), name] as const),
  ...pairsOf(OTHER_NAMES.split(' ')),
]);

/** Turns a character into the searched text's own form of it. */
export type RawForm = (character: string) => string;

/**
 * A run of backslashes; with those that may stand before what follows it, for two parts that both
 * take any number of them could share them in very many ways.
 */
export function backslashRun(count: number): string {
  const most = count * (MOST_BACKSLASHES + 1) + MOST_BACKSLASHES;
  const escaped = asciiForms(['\\']).join('|');
  return `(?:(?:${escaped}){${count}}\\\\{0,${MOST_BACKSLASHES}}|\\\\{${count},${most}})`;
}

/** A run of one quote: each as it may stand; or all doubled, as in CSV; or as a shell writes `'`. */
export function quoteRun(quote: string, count: number, raw: RawForm, isAfterRun: boolean): string {
  const first = anyFormOf(quote, raw, isAfterRun);
  const single = count === 1 ? first : `${first}${anyFormOf(quote, raw)}{${count - 1}}`;
  const doubled = `(?:${quote}${quote}){${count}}`;
  const forms = [
    ...(quote === "'" ? [`(?:'${BACKSLASHES}''){${count}}`] : []),
    // What follows an escaped quote closes the string that it stands in.
    ...(isAfterRun ? [single, doubled] : [doubled, single]),
  ];
  return `(?:${forms.join('|')})`;
}

/**
 * One character in every way in which it may be written, in any case. After a run of backslashes
 * those that escape it are already taken.
 */
export function anyFormOf(character: string, raw: RawForm, isAfterRun = false): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  const written = [...new Set(cases.flatMap((one) => [one, one.normalize('NFD')]))];
  const isAscii = written.every(isPlain);
  const forms: string[] = [];
  if (!isAscii) forms.push(...written.flatMap((one) => foreignForms(one, raw)));
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) forms.push(`${BACKSLASHES}${short}`);
  if (character === ' ') forms.push('\\+', `${BACKSLASHES} `);
  // A JSON Pointer, which may itself stand in a URL.
  if (character === '/') forms.push('(?:~|%7[eE])1');
  if (character === '~') forms.push('(?:~|%7[eE])0');
  forms.push(...(isAscii ? asciiForms(written) : written.flatMap(escapedForms)));
  // The character itself comes last: where a secret ends, `~` must not leave the 0 of `~0`.
  if (isPunctuation(character)) forms.push(`${BACKSLASHES}${literal(character)}`);
  forms.push(...written.map((one) => literal(raw(one))));
  const unique = [...new Set(forms)];
  return `(?:${(isAfterRun ? unique.map(afterRun) : unique).join('|')})`;
}

/** What `escapedForms` gives for each of them, in few words: most secrets hold nothing else. */
function asciiForms(written: readonly string[]): string[] {
  const points = written.map((one) => one.charCodeAt(0));
  const anyOf = (texts: readonly string[]) =>
    texts.length === 1 ? (texts[0] ?? '') : `(?:${texts.join('|')})`;
  const inHex = anyOf(points.map((point) => hex(point, 2)));
  const escapes = [
    `(?:u00|x|U000000)${inHex}`,
    `u\\{0{0,6}${inHex}\\}`,
    anyOf(points.map((point) => octal(point))),
  ];
  const numbers = `0{0,6}${anyOf(points.map(String))}|[xX]0{0,6}${inHex}`;
  const names = written.flatMap((one) => ENTITY_NAMES.get(one) ?? []);
  const entities = [`(?:#|%23)(?:${numbers})`, ...names];
  // The longest first, as `\u0026amp;` for `&`.
  return [
    `${ENTITY_START}(?:${entities.join('|')})(?:;|%3[bB])`,
    `${BACKSLASHES}(?:${escapes.join('|')})`,
    `(?:%(?:25)?|=)${inHex}`,
  ];
}

function afterRun(form: string): string {
  if (form.startsWith(BACKSLASHES)) return form.slice(BACKSLASHES.length);
  return form.startsWith(ENTITY_START)
    ? `${ENTITY_START_AFTER_RUN}${form.slice(ENTITY_START.length)}`
    : form;
}

export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

export function inAnyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

export function asLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Read or written as Latin-1 what is UTF-8, or the other way round. */
function foreignForms(text: string, raw: RawForm): string[] {
  const isLatin = /^[\u0080-\u00ff]+$/.test(text);
  return [literal(raw(asLatin1(text))), ...(isLatin ? [literal(text)] : [])];
}

function escapedForms(text: string): string[] {
  const points = Array.from(text, (each) => each.codePointAt(0) ?? 0);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const bytes = [...Buffer.from(text, 'utf8')];
  const name = ENTITY_NAMES.get(text);
  const inUtf8 = [
    each(bytes, (byte) => `${BACKSLASHES}(?:x${hex(byte, 2)}|${octal(byte)})`),
    each(bytes, (byte) => `(?:%(?:25)?|=)${hex(byte, 2)}`),
  ];
  const isLatin = points.every((point) => point >= 0x80 && point <= 0xff);
  const inLatin1 = [
    each(points, (point) => `${BACKSLASHES}(?:x${hex(point, 2)}|${octal(point)})`),
    each(points, (point) => `(?:%(?:25)?|=)${hex(point, 2)}`),
  ];
  return [
    each(units, (unit) => `${BACKSLASHES}u${hex(unit, 4)}`),
    each(points, (point) => `${BACKSLASHES}(?:u\\{0{0,6}${hex(point, 1)}\\}|U${hex(point, 8)})`),
    ...inUtf8,
    ...(isLatin ? inLatin1 : []),
    each(
      points,
      (point) =>
        `${ENTITY_START}(?:#|%23)(?:0{0,6}${point}|[xX]0{0,6}${hex(point, 1)})(?:;|%3[bB])`,
    ),
    ...(name === undefined ? [] : [`${ENTITY_START}${name}(?:;|%3[bB])`]),
  ];
}

function each(values: readonly number[], write: (value: number) => string): string {
  return values.map(write).join('');
}

function hex(value: number, digits: number): string {
  return inAnyCase(value.toString(16).padStart(digits, '0'));
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}

function isPlain(text: string): boolean {
  return [...text].every((each) => each.charCodeAt(0) < 0x80);
}

function isPunctuation(character: string): boolean {
  return /^[!-/:-@[\]-`{-~]$/.test(character);
}

function* pairsOf(texts: readonly string[]): Generator<readonly [string, string]> {
  for (let at = 0; at + 1 < texts.length; at += 2) yield [texts[at] ?? '', texts[at + 1] ?? ''];
}
