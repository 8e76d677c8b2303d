import { NumberColumn } from '../../number-column.ts';
import { field, isObject, textField } from '../../plain-fields.ts';
import { endNumber, isUuid, recordNumber, startNumber } from '../../record-number.ts';

const SAID = 100;

/**
 * Numbers by which a copy of a record is known in another file: its uuid with what it says, and, of an
 * answer, its id with the request's or a call's. Some forks give copies uuids and times of their own.
 */
export function numbersOf(plain: unknown): number[] {
  const type = textField(plain, 'type');
  const message = field(plain, 'message');
  if ((type !== 'user' && type !== 'assistant') || !isObject(message)) return [];
  if (field(plain, 'isSidechain') === true) return [];
  const said = beginningOf(message);
  const numbers: number[] = [];
  const uuid = textField(plain, 'uuid');
  if (uuid !== null) numbers.push(recordNumber(`record ${tellingId(uuid, plain)} ${said}`));
  const id = type === 'assistant' ? textField(message, 'id') : null;
  if (id === null || isMadeUp(id)) return numbers;
  const request = textField(plain, 'requestId');
  if (request !== null) numbers.push(recordNumber(`request ${id} ${request} ${said}`));
  for (const call of callIdsOf(message)) numbers.push(recordNumber(`call ${id} ${call} ${said}`));
  return numbers;
}

/** A service's ids (`msg_` and 24 more) are longer than those that somebody counts up. */
const MADE_UP_LENGTH = 12;

function isMadeUp(id: string): boolean {
  return id.length <= MADE_UP_LENGTH;
}

/** The id of a record; one that may stand in any session (`u1`) with its time. */
export function tellingId(id: string, record: unknown): string {
  return isMadeUp(id) ? `${id} at ${textField(record, 'timestamp')}` : id;
}

/** The ids of the calls in a message. */
export function callIdsOf(message: unknown): string[] {
  const content = field(message, 'content');
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    textField(block, 'type') === 'tool_use' ? (textField(block, 'id') ?? []) : [],
  );
}

function beginningOf(message: unknown): string {
  const content = field(message, 'content');
  const role = textField(message, 'role');
  if (typeof content === 'string') return `${role} ${content.length} ${content.slice(0, SAID)}`;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const [first] = blocks;
  const id = textField(first, 'id') ?? textField(first, 'tool_use_id') ?? '';
  const text = textField(first, 'text') ?? textField(first, 'thinking') ?? '';
  const type = textField(first, 'type');
  return `${role} ${blocks.length} ${type} ${id} ${text.length} ${text.slice(0, SAID)}`;
}

/** The numbers of one file's records, eight bytes each, and where its turns ended. */
export class RecordNumbers {
  readonly #values = new NumberColumn(Float64Array);
  #count = 0;
  #lastUuid: string | null = null;
  #lastMessageUuid: string | null = null;
  #hasBegun = false;

  take(plain: unknown): void {
    const uuid = textField(plain, 'uuid');
    if (uuid === null) return;
    const parent = textField(plain, 'parentUuid');
    if (!this.#hasBegun && isUuid(parent)) this.#add(startNumber(parent));
    this.#hasBegun = true;
    const numbers = numbersOf(plain);
    const isPrompt = textField(plain, 'type') === 'user' && !holdsResult(plain);
    if (isPrompt) this.#endTurn();
    for (const number of numbers) this.#add(number);
    this.#lastUuid = uuid;
    if (numbers.length > 0) this.#lastMessageUuid = uuid;
  }

  list(): Float64Array {
    this.#endTurn();
    return Float64Array.from({ length: this.#count }, (_each, place) => this.#values.get(place));
  }

  #endTurn(): void {
    for (const uuid of new Set([this.#lastUuid, this.#lastMessageUuid])) {
      if (isUuid(uuid)) this.#add(endNumber(uuid));
    }
  }

  #add(number: number): void {
    this.#values.set(this.#count, number);
    this.#count += 1;
  }
}

function holdsResult(plain: unknown): boolean {
  const content = field(field(plain, 'message'), 'content');
  return (
    Array.isArray(content) &&
    content.some((block: unknown) => textField(block, 'type') === 'tool_result')
  );
}
