import { parseJsonBytes } from '@misstep/json';
import type { Origin } from '@misstep/model';
import type { ImportInput } from '../../importer.ts';
import { JsonView } from '../../json-view.ts';
import { type IssueList, type RecordLedger, SetAside } from '../../record-ledger.ts';
import { refuseLarge } from '../../unreadable-source.ts';

/** One part of `POST /runs/multipart`: a run as it was sent, or one field of it that was sent apart. */
export interface RunPart {
  readonly runId: string;
  /** Null = the run itself. */
  readonly field: string | null;
  readonly view: JsonView;
}

const OPENINGS =
  /^--([^\r\n]{1,200})\r?\nContent-Disposition: form-data; name="(?:post|patch)\./gim;
const NAME = /^content-disposition:[^\r\n]*[; ]name="([^"\r\n]{1,300})"/im;
const ENCODED = /^content-encoding:\s*(?!identity)\S/im;
const OF_RUN = /^(?:post|patch)\.([0-9a-f-]{36})(?:\.([a-z_]{1,40}))?$/i;
const OTHER_PART = new SetAside('feedback or an attachment');
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Of the beginning of a source; the first part may be damaged. */
export const OPENING_BYTES = 65_536;

/** What divides the parts of such a body, as most of them have it; null where the text is none. */
export function boundaryOf(text: string): string | null {
  const counts = new Map<string, number>();
  for (const { index, 1: boundary = '' } of text.slice(0, OPENING_BYTES).matchAll(OPENINGS)) {
    // Below JSON of its own it is something that was put behind it.
    if (counts.size === 0 && /^[^\S\r\n\u2028\u2029]*[[{]/m.test(text.slice(0, index))) return null;
    counts.set(boundary, (counts.get(boundary) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** Reads the body as it was sent; every part is accounted for. */
export async function readParts(
  { main }: ImportInput,
  boundary: string,
  ledger: RecordLedger,
  issues: IssueList,
): Promise<RunPart[]> {
  if (main.sizeBytes > MAX_BODY_BYTES) {
    refuseLarge(main, ledger, issues, 'A body of more than 256 MiB is not read.');
    return [];
  }
  const bytes = await main.read(0, main.sizeBytes);
  // One character a byte, so that places in the text are places in the bytes.
  const text = new TextDecoder('latin1').decode(bytes);
  const parts: RunPart[] = [];
  const opening = `--${boundary}`;
  const first = text.startsWith(opening) ? 0 : text.search(firstOf(boundary));
  // What went through an editor or a terminal has lost its carriage returns.
  const opened = Math.max(0, first) + opening.length;
  const lineEnd = text.startsWith('\r\n', opened) ? '\r\n' : '\n';
  const divider = `${lineEnd}${opening}`;
  if (first > 0) ledger.malformed({ offset: 0, length: first }, 'a part without its beginning');
  let start = opened;
  while (start < text.length && !text.startsWith('--', start)) {
    const found = text.indexOf(divider, start);
    const end = found < 0 ? text.length : found;
    const place = { offset: start, length: end - start };
    const head = text.indexOf(`${lineEnd}${lineEnd}`, start);
    const told = head < 0 || head > end ? null : headOf(text.slice(start + lineEnd.length, head));
    if (told === null) ledger.malformed(place, 'a part without a name');
    else if (told instanceof SetAside) ledger.setAside(place, told);
    else if (typeof told === 'string') ledger.notUnderstood(place, told);
    else {
      const offset = head + 2 * lineEnd.length;
      const parsed = parseJsonBytes(bytes.subarray(offset, end));
      if (!parsed.ok) ledger.malformed(place, parsed.error.message);
      else {
        const { sha256 } = main;
        const ground = { kind: 'bytes' as const, document: parsed.value, sha256, offset };
        parts.push({ ...told, view: new JsonView(ground, parsed.value.root, '') });
        ledger.understood();
      }
    }
    start = found < 0 ? text.length : found + divider.length;
  }
  return parts;
}

/** Above the first part anything may stand, with other ends of lines. */
function firstOf(boundary: string): RegExp {
  return new RegExp(`(?<=\\n)--${boundary.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=\\r?\\n)`);
}

function headOf(head: string): Omit<RunPart, 'view'> | SetAside | string | null {
  const name = NAME.exec(head)?.[1];
  if (name === undefined) return null;
  if (ENCODED.test(head)) return 'a part that is compressed';
  const [, runId, field = null] = OF_RUN.exec(name) ?? [];
  return runId === undefined ? OTHER_PART : { runId, field };
}

/** A field that was sent apart from its run, found as if it stood in it. */
export class FieldPart {
  readonly #field: string;
  readonly #view: JsonView;

  constructor(field: string, view: JsonView) {
    this.#field = field;
    this.#view = view;
  }

  get origin(): Origin {
    return this.#view.origin;
  }

  at(key: string, ...path: readonly string[]): JsonView | undefined {
    return key === this.#field ? this.#view.at(...path) : undefined;
  }
}
