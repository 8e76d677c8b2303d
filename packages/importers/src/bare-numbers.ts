import {
  type JsonBytesDocument,
  type JsonDocument,
  type JsonNode,
  parseLooseJson,
  toPlain,
} from '@misstep/json';
import { counted, type IssueList } from './record-ledger.ts';

/** Tells of NaN and Infinity in a record that was read nevertheless. `offset` is where its document begins. */
export function noteBareNumbers(
  { bareNumbers: [first] = [], index }: JsonBytesDocument,
  offset: number,
  sha256: Parameters<IssueList['add']>[2],
  issues: IssueList,
): void {
  if (first === undefined) return;
  issues.count(
    'NUMBER_NOT_JSON',
    (count) =>
      `${counted(count, 'record')} with NaN or Infinity, which JSON has not; they are kept as written.`,
    sha256,
    offset + index.toByte(first),
  );
}

/** A text that JSON.parse refused, where only such numbers are to blame; undefined else. */
export function plainWithBareNumbers(text: string): unknown {
  const loose = /\b(?:NaN|Infinity)\b/.test(text) ? parseLooseJson(text) : null;
  return loose?.ok === true ? toPlain(loose.value, loose.value.root) : undefined;
}

/** Whether one stands in a value, whose text is no JSON then. */
export function hasBareNumber({ bareNumbers }: JsonDocument, { start, end }: JsonNode): boolean {
  return bareNumbers?.some((at) => start <= at && at < end) === true;
}
