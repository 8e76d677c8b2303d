import type { GivenSecret } from '@misstep/contract';
import {
  EnvironmentNameSchema,
  HeaderNameSchema,
  MisstepError,
  type SecretKind,
  type TargetAddress,
} from '@misstep/model';

/** What HTTP takes as a field value (RFC 9110, 5.5): no line break, nothing at its ends. */
const HEADER_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
const LONGEST_HEADER = 16_384;

/** The kind of secret that a target with this address can use. */
export function kindFor(address: TargetAddress): SecretKind {
  return address.transport === 'stdio' ? 'environment' : 'header';
}

/** Headers are one, however their names are written. */
export function sameName(kind: SecretKind, a: string, b: string): boolean {
  return kind === 'header' ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** REQUEST_INVALID with words that never quote the value. */
export function checkSecret(secret: GivenSecret, address: TargetAddress): void {
  const { kind, name, value } = secret;
  if (kind !== kindFor(address)) {
    throw invalid(
      kind === 'environment'
        ? `${name}: a server at a URL gets headers, no environment variables.`
        : `${name}: a command gets environment variables, no headers.`,
    );
  }
  const checked = (kind === 'header' ? HeaderNameSchema : EnvironmentNameSchema).safeParse(name);
  if (!checked.success) throw invalid(`"${name}": ${checked.error.issues[0]?.message ?? ''}.`);
  if (value === null) return;
  const problem = kind === 'header' ? headerProblem(value) : environmentProblem(value);
  if (problem !== null) throw invalid(`The value of ${name} ${problem}.`);
}

function headerProblem(value: string): string | null {
  if (value === '') return 'is empty';
  if (value.length > LONGEST_HEADER) return `is longer than ${LONGEST_HEADER} characters`;
  if (/[\r\n]/.test(value)) return 'holds a line break, which no header can';
  return HEADER_VALUE.test(value)
    ? null
    : 'holds characters that no header can, or blanks at its ends';
}

function environmentProblem(value: string): string | null {
  return value.includes('\0') ? 'holds a NUL, which no environment variable can' : null;
}

function invalid(message: string): MisstepError {
  return new MisstepError('REQUEST_INVALID', message, { field: 'secrets' });
}
