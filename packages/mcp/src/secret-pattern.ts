/** As many as JSON within JSON within JSON within JSON puts before an escaped character. */
const BACKSLASHES = '\\\\{1,15}';
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);

/**
 * Every way in which a server may write a secret that it repeats: each character in any case, as it
 * is, escaped as in JSON to any depth, or as in a URL; the whole in Base64 or hexadecimal. `raw`
 * turns a character into the searched text's own form of it. Matching takes time in proportion to
 * the text.
 */
export function secretPattern(secret: string, raw: (character: string) => string): RegExp {
  // Backslashes in a row are one part: taken singly, each could match in many ways.
  const parts = secret.match(/\\+|\s+|[^\\\s]/gsu) ?? [];
  const characters = parts
    .map((part) => {
      if (part.startsWith('\\')) return anyBackslashes(part.length);
      const forms = Array.from(part, (each) => anyFormOf(each, raw)).join('');
      // Sentences have each run of white space as one blank.
      return part.trim() === '' && part !== ' ' ? `(?:${forms}| )` : forms;
    })
    .join('');
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [...base64Forms(bytes), inAnyCase(bytes.toString('hex'))];
  return new RegExp([characters, ...encoded].join('|'), 'g');
}

function anyBackslashes(count: number): string {
  return `(?:\\\\{${count},${count * 16}}|(?:${BACKSLASHES}u005[cC]){${count}}|(?:%(?:25)?5[cC]){${count}})`;
}

function anyFormOf(character: string, raw: (character: string) => string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const forms = [...cases].flatMap((each) => {
    const units = Array.from({ length: each.length }, (_, at) => each.charCodeAt(at));
    const asUnicode = units.map((unit) => {
      const hex = inAnyCase(unit.toString(16).padStart(4, '0'));
      return `${BACKSLASHES}u${hex}`;
    });
    const hexBytes = Buffer.from(each, 'utf8').toString('hex');
    const inUrl = hexBytes.replace(/../g, (pair) => `%(?:25)?${inAnyCase(pair)}`);
    return [literal(raw(each)), asUnicode.join(''), inUrl];
  });
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) forms.push(`${BACKSLASHES}${short}`);
  if (character === '"' || character === '/') forms.unshift(`${BACKSLASHES}${literal(character)}`);
  if (character === ' ') forms.push('\\+');
  return `(?:${[...new Set(forms)].join('|')})`;
}

/** At each of the three places in which a secret can begin in what is encoded; also as for URLs. */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    // Characters that also hold bits of what stands before or after are not the secret's alone.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    return [...whole.slice(from, to)]
      .map((digit) =>
        digit === '-' ? '[+-]' : digit === '_' ? '(?:\\\\{0,15}/|_)' : literal(digit),
      )
      .join('');
  });
}

function inAnyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
