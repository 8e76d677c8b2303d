/** What is looked for where a text was cut: a secret as it may have been written up to there. */
export type CutForm = readonly string[];

/** A beginning shorter than this says nothing, and stands in too many words by chance. */
const SHORTEST_AT_MARK = 4;
/** At the very end of a text nothing says that it was cut. */
const SHORTEST_AT_END = 6;
const CUT_MARK = /["'`]?(?:…|\.\.\.| \(\d+ more)/g;

const HTML: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** The ways in which most texts write a secret. */
export function cutFormOf(secret: string): CutForm {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const pointer = secret.replaceAll('~', '~0').replaceAll('/', '~1');
  const html = secret.replace(/[&<>"']/g, (each) => HTML.get(each) ?? each);
  const forms = [
    secret,
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    pointer,
    JSON.stringify(pointer).slice(1, -1),
    html,
    html.replaceAll('/', '&#x2F;'),
    secret.replace(/[\\']/g, '\\$&'),
    encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '')),
    // Many sentences have each run of white space as one blank.
    secret.replace(/\s+/g, ' '),
    Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''),
  ];
  return [...new Set(forms)];
}

/** The beginnings of secrets that stand where the text was cut, or at its end. */
export function cutEndsOf(
  text: string,
  secrets: readonly { readonly cut: CutForm; readonly mask: string }[],
  isEndAlone = false,
): { offset: number; length: number; mask: string }[] {
  if (secrets.length === 0) return [];
  const marks = isEndAlone ? [] : text.matchAll(CUT_MARK);
  const ends = Array.from(marks, ({ index }) => ({ at: index, least: SHORTEST_AT_MARK }));
  ends.push({ at: text.length, least: SHORTEST_AT_END });
  return ends.flatMap(({ at, least }) => {
    for (const { cut, mask } of secrets) {
      const length = longestBeginning(text, at, cut, least);
      if (length > 0) return [{ offset: at - length, length, mask }];
    }
    return [];
  });
}

/** What stands at the very beginning of a text of which the part before is not kept. */
export function cutStartsOf(
  text: string,
  secrets: readonly { readonly cut: CutForm; readonly mask: string }[],
): { offset: number; length: number; mask: string }[] {
  for (const { cut, mask } of secrets) {
    const lengths = cut.map((form) => longestEnding(text, form));
    const length = Math.max(0, ...lengths);
    if (length > 0) return [{ offset: 0, length, mask }];
  }
  return [];
}

function longestEnding(text: string, form: string): number {
  const start = text.slice(0, form.length);
  for (let from = 1; from <= form.length - SHORTEST_AT_END; from += 1) {
    if (start.startsWith(form.slice(from))) return form.length - from;
  }
  return 0;
}

/** How many characters before `at` are the beginning of a form; 0 = fewer than `least`. */
function longestBeginning(text: string, at: number, forms: CutForm, least: number): number {
  let longest = 0;
  for (const form of forms) {
    const first = form.slice(0, least);
    // A whole secret is found by its pattern, with the ways of writing that this one doesn't know.
    let from = Math.max(0, at - form.length + 1);
    for (;;) {
      const found = text.indexOf(first, from);
      if (found < 0 || found + least > at) break;
      if (form.startsWith(text.slice(found, at))) {
        longest = Math.max(longest, at - found);
        break;
      }
      from = found + 1;
    }
  }
  return longest;
}
