import {
  type JsonDocument,
  type JsonNode,
  nodeText,
  parseJson,
  readTolerant,
  stringValue,
} from '@misstep/json';
import {
  type CapturedValue,
  type Elision,
  type SourceHash,
  type ValueEncoding,
  valueText,
} from '@misstep/model';
import { counted, type IssueList } from '../../record-ledger.ts';
import { inlineValue, valueAt } from '../../step-builder.ts';
import { cutsInText, readValueTail } from './cut-mark.ts';
import { straightenQuotes, TYPOGRAPHIC_QUOTE } from './straight-quotes.ts';
import type { TextLine, TextSource } from './text-source.ts';

/** A piece of a text from one line and column to another. */
export interface TextSpan {
  readonly fromLine: number;
  readonly fromColumn: number;
  readonly toLine: number;
  readonly toColumn: number;
}

export type PayloadProblem = 'words' | 'quotes changed' | 'spelled otherwise';

/** A payload as it stands in a text, read as far as it can be. */
export interface Payload {
  readonly value: CapturedValue;
  /** What the value's text says. */
  readonly text: string;
  /** Its JSON, where it is JSON, whole or cut. */
  readonly document: JsonDocument | null;
  /** Why it is no JSON as it is written; null = it is, whole or cut. */
  readonly problem: PayloadProblem | null;
  /** A part of the payload's JSON as a value of its own. */
  part(node: JsonNode, pointer: string): CapturedValue;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&apos;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&nbsp;', '\u00a0'],
  ['&amp;', '&'],
]);

/** Reads the payload in a span; null where there is no span or nothing in it. */
export function readPayloadOf(source: TextSource, span: TextSpan | null): Payload | null {
  if (span === null) return null;
  const isEmpty = span.fromLine === span.toLine && span.fromColumn >= span.toColumn;
  return isEmpty ? null : readPayload(source, span);
}

/** Reads the payload in a span of the text. */
export function readPayload(source: TextSource, span: TextSpan): Payload {
  const { lines } = source;
  const first = lines[span.fromLine];
  const last = lines[span.toLine];
  const start = (first?.bodyStart ?? 0) + span.fromColumn;
  const end = (last?.bodyStart ?? 0) + span.toColumn;
  const quoted = lines
    .slice(span.fromLine + 1, span.toLine + 1)
    .some((line) => line.bodyStart > line.start);
  const origin = source.origin(start, end);
  const written = quoted ? joinBodies(lines, span) : source.text.slice(start, end);
  const plain = decodeEntities(written);
  const { document, elisions, text, encoding, problem } = readText(plain);
  if (quoted || plain !== written || problem === 'quotes changed') {
    return {
      value: inlineValue(text, origin, 'rendered', elisions),
      text,
      document,
      problem,
      part: (node, pointer) =>
        inlineValue(
          nodeText(document ?? text, node),
          origin,
          'rendered',
          elisionsBelow(elisions, pointer),
        ),
    };
  }
  return {
    value: valueAt(origin, encoding, 'rendered', elisions),
    text,
    document,
    problem,
    part: (node, pointer) => {
      const below = elisionsBelow(elisions, pointer);
      if (encoding !== 'json' && encoding !== 'cut-json') {
        return inlineValue(nodeText(document ?? text, node), origin, 'rendered', below);
      }
      const place = { ...source.origin(start + node.start, start + node.end), pointer };
      return valueAt(place, encoding, 'rendered', below);
    },
  };
}

/** A payload's value as words, whatever it may look like. */
export function plainValue({ value }: Payload): CapturedValue {
  if (value.encoding === 'inline') return value;
  return { ...value, encoding: 'text', state: 'captured', elisions: [] };
}

interface ReadText {
  readonly encoding: ValueEncoding;
  readonly text: string;
  readonly document: JsonDocument | null;
  readonly elisions: Elision[];
  readonly problem: PayloadProblem | null;
}

function readText(written: string): ReadText {
  const strict = parseJson(written);
  if (strict.ok) {
    const { root } = strict.value;
    const text = root.kind === 'string' ? stringValue(strict.value, root) : '';
    // JSON that was put into a string once more.
    const inner = /^\s*[[{]/.test(text) ? parseJson(text) : null;
    if (inner?.ok)
      return { encoding: 'json-string', text, document: inner.value, elisions: [], problem: null };
    const tolerant = root.kind === 'number' || root.kind === 'literal' ? null : readCut(written);
    if (tolerant !== null && tolerant.elisions.length > 0) return tolerant;
    return { encoding: 'json', text: written, document: strict.value, elisions: [], problem: null };
  }
  if (written.includes('\n')) {
    const text = valueText('unwrapped', written);
    const unwrapped = parseJson(text);
    if (unwrapped.ok) {
      return {
        encoding: 'unwrapped',
        text,
        document: unwrapped.value,
        elisions: [],
        problem: null,
      };
    }
  }
  const cut = /^\s*[[{"“]/.test(written) ? readCut(written) : null;
  const elisions = cut === null ? cutsInText(written) : [];
  return cut ?? { encoding: 'text', text: written, document: null, elisions, problem: 'words' };
}

/** Beyond this a text that is no JSON is kept as text: reading it as cut JSON costs too much. */
const LONGEST_CUT = 4 * 1024 * 1024;

/** Problems that no cut explains. */
const SPELLING = /quotes|spell/;

function readCut(text: string): ReadText | null {
  if (text.length > LONGEST_CUT) return null;
  const read = readTolerant(text);
  // What goes on as something else is no JSON, however it begins.
  if (read === null || readValueTail(text.slice(read.end)) === null) return null;
  // An open quote begins many a text; only a mark makes it a string that was cut.
  if (read.root.kind === 'string' && read.elisions.every(({ marker }) => marker === ''))
    return null;
  const straight = TYPOGRAPHIC_QUOTE.test(text) ? straightenQuotes(read) : null;
  const straightened = straight === null ? null : parseJson(straight);
  if (straight !== null && straightened?.ok) {
    const document = straightened.value;
    return { encoding: 'json', text: straight, document, elisions: [], problem: 'quotes changed' };
  }
  const elisions = read.elisions.map(({ pointer, kind, count, marker }) => ({
    pointer,
    kind,
    count,
    marker,
  }));
  const isOdd = elisions.length === 0 || SPELLING.test(read.problems[0]?.message ?? '');
  const problem = read.problems.length > 0 && isOdd ? 'spelled otherwise' : null;
  return { encoding: 'cut-json', text, document: read, elisions, problem };
}

function elisionsBelow(elisions: readonly Elision[], pointer: string): Elision[] {
  return elisions
    .filter((elision) => elision.pointer === pointer || elision.pointer.startsWith(`${pointer}/`))
    .map((elision) => ({ ...elision, pointer: elision.pointer.slice(pointer.length) }));
}

/** The text of a span without the quote prefixes of its lines. */
export function joinBodies(lines: readonly TextLine[], span: TextSpan): string {
  const bodies: string[] = [];
  for (let number = span.fromLine; number <= span.toLine; number += 1) {
    const body = lines[number]?.body ?? '';
    const from = number === span.fromLine ? span.fromColumn : 0;
    bodies.push(body.slice(from, number === span.toLine ? span.toColumn : body.length));
  }
  return bodies.join('\n');
}

/** HTML escapes as a paste from a page leaves them. */
export function decodeEntities(text: string): string {
  if (!/&(?:quot|#34|#39|apos|lt|gt|nbsp|amp);/.test(text)) return text;
  return text.replace(
    /&(?:quot|#34|#39|apos|lt|gt|nbsp|amp);/g,
    (each) => ENTITIES.get(each) ?? each,
  );
}

/** Counts a call whose arguments the width of a screen broke, so that they had to be joined. */
export function tellWrapped(
  issues: IssueList,
  { origin }: CapturedValue,
  sha256: SourceHash,
): void {
  issues.count(
    'ARGUMENTS_WRAPPED',
    (count) =>
      `${counted(count, 'call')} with arguments wrapped by the screen; where a line was broken a blank may be missing.`,
    sha256,
    origin?.offset ?? null,
  );
}
