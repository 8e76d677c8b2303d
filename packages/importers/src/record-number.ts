import { idNumberOf } from './step-ids.ts';

/** What a number stands for is in its last two bits. */
const KINDS = 4;
const RECORD = 0;
const END = 1;
const START = 2;

/** Ids that somebody made up (`u1`) stand in more than one session; those of a client don't. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(id: string | null): id is string {
  return id !== null && UUID.test(id);
}

function numberOf(text: string, kind: number): number {
  const number = idNumberOf(text);
  return number - (number % KINDS) + kind;
}

/** Of a record, from what tells it apart from all but its copies: sources that hold one number are of one run. */
export function recordNumber(text: string): number {
  return numberOf(text, RECORD);
}

/** Of a record that another source may go on from without a copy of it. */
export function endNumber(id: string): number {
  return numberOf(id, END);
}

/** Of the record elsewhere that a source goes on from: found by the end's number, and finds it. */
export function startNumber(id: string): number {
  return numberOf(id, START);
}

/** The number by which a source is asked for that belongs to one with this number. */
export function counterpartOf(number: number): number {
  const kind = number % KINDS;
  if (kind === RECORD) return number;
  return number - kind + (kind === END ? START : END);
}
