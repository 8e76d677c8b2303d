import type { TargetAddress } from '@misstep/model';

const SECRET_NAME = /key|token|secret|passw|auth|credential|signature|^sig$|^code$|session|cookie/i;
/** Shapes that well-known services give their keys, and signed tokens. */
const SECRET_SHAPE =
  /^(?:bearer\s.*|basic\s.*|(?:sk|pk|rk)[-_][\w-]{12,}|gh[a-z]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{12,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*)$/i;
const OPTION = /^(--?[\w.-]+|[A-Za-z_][\w.-]*)=([\s\S]*)$/;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Gives the word in place of a value that is left out. */
type Hide = (name: string, value: string) => string;

/**
 * An address with a placeholder for everything in it that looks like a secret, and a note for
 * each. Headers and environment of a target are no part of an address.
 */
export function leaveSecretsOut(address: TargetAddress): {
  readonly address: TargetAddress;
  readonly notes: readonly string[];
  /** What was left out, as it stood in the address. */
  readonly values: readonly string[];
} {
  const notes: string[] = [];
  const values: string[] = [];
  const hide: Hide = (name, value) => {
    values.push(value);
    const word = `PUT_${name
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .toUpperCase()}_HERE`;
    notes.push(`A value that looks like a secret is left out: put it in for ${word}.`);
    return word;
  };
  if (address.transport !== 'stdio') {
    return { address: { ...address, url: hideInUrl(address.url, hide) }, notes, values };
  }
  const args = address.args.map((word, index) => {
    const before = address.args[index - 1] ?? '';
    if (before.startsWith('-') && !before.includes('=') && SECRET_NAME.test(before)) {
      return word.startsWith('-') ? word : hide(before, word);
    }
    return hideInWord(word, hide);
  });
  return { address: { ...address, args }, notes, values };
}

function hideInWord(word: string, hide: Hide): string {
  if (SECRET_SHAPE.test(word)) return hide('SECRET', word);
  if (URL_START.test(word)) return hideInUrl(word, hide);
  const option = OPTION.exec(word);
  if (option !== null) {
    const [, name = '', value = ''] = option;
    if (value !== '' && SECRET_NAME.test(name)) return `${name}=${hide(name, value)}`;
    return `${name}=${hideInWord(value, hide)}`;
  }
  const header = /^([\w-]+): ?([\s\S]+)$/.exec(word);
  if (
    header !== null &&
    (SECRET_NAME.test(header[1] ?? '') || SECRET_SHAPE.test(header[2] ?? ''))
  ) {
    return `${header[1]}: ${hide(header[1] ?? '', header[2] ?? '')}`;
  }
  return word;
}

function hideInUrl(text: string, hide: Hide): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  let changed = false;
  if (url.username !== '' || url.password !== '') {
    url.username = hide('URL_USER', url.password === '' ? url.username : url.password);
    url.password = '';
    changed = true;
  }
  for (const [name, value] of [...url.searchParams]) {
    if (value === '' || !(SECRET_NAME.test(name) || SECRET_SHAPE.test(value))) continue;
    url.searchParams.set(name, hide(name, value));
    changed = true;
  }
  // An address without secrets stays as it is written.
  return changed ? url.href : text;
}
