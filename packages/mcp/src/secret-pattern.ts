import {
  anyFormOf,
  backslashRun,
  inAnyCase,
  literal,
  quoteRun,
  type RawForm,
} from './character-forms.ts';

/**
 * Every way in which a server or Misstep may write a secret: each character in any case, as it is,
 * escaped (JSON to any depth, Python, C, HTML, URLs, quoted-printable, Markdown, a shell, CSV, JSON
 * Pointers); the whole in Base64 or hexadecimal. docs/cli.md tells people of them. Matching takes
 * time in proportion to the text.
 */
export function secretPattern(secret: string, raw: RawForm): RegExp {
  // Runs are one part: taken singly, each character could match in many ways.
  const parts = secret.normalize('NFC').match(/\\+|"+|'+|\s+|[^\\\s"']/gsu) ?? [];
  const characters = parts
    .map((part, at) => {
      const isAfterRun = parts[at - 1]?.startsWith('\\') === true;
      if (part.startsWith('\\')) return backslashRun(part.length);
      const quote = part.charAt(0);
      if (quote === '"' || quote === "'") return quoteRun(quote, part.length, raw, isAfterRun);
      const forms = Array.from(part, (each, index) =>
        anyFormOf(each, raw, isAfterRun && index === 0),
      ).join('');
      // Sentences have each run of white space as one blank.
      return part.trim() === '' && part !== ' ' ? `(?:${forms}| )` : forms;
    })
    .join('');
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [...base64Forms(bytes), inAnyCase(bytes.toString('hex'))];
  return new RegExp([characters, ...encoded].join('|'), 'g');
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
        digit === '-'
          ? '(?:[+-]|%2[bB])'
          : digit === '_'
            ? '(?:\\\\{0,15}/|_|%2[fF])'
            : literal(digit),
      )
      .join('');
  });
}
