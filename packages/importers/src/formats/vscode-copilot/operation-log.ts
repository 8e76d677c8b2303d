import { JsonPlace } from '../../json-place.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';

/** A place whose members or items were changed by later lines of the log. */
export class PatchedPlace extends JsonPlace {
  readonly #members = new Map<string, PatchedPlace>();
  #items: PatchedPlace[] | null = null;

  static of(place: JsonPlace): PatchedPlace {
    return place instanceof PatchedPlace ? place : new PatchedPlace(place.source, place.view);
  }

  override get(key: string): PatchedPlace {
    let found = this.#members.get(key);
    if (found === undefined) {
      found = PatchedPlace.of(super.get(key));
      this.#members.set(key, found);
    }
    return found;
  }

  override items(): PatchedPlace[] {
    this.#items ??= super.items().map((item) => PatchedPlace.of(item));
    return this.#items;
  }

  /** Puts a place where `key` was; false where nothing can stand there. */
  put(key: JsonPlace, place: PatchedPlace): boolean {
    const name = key.text();
    if (name !== null) {
      this.#members.set(name, place);
      return true;
    }
    const index = key.count();
    const items = this.items();
    if (index === null || index > items.length) return false;
    items[index] = place;
    return true;
  }

  /** The list is cut at `index`, where one is given, and goes on with these. */
  append(items: readonly JsonPlace[], index: number | null): void {
    const list = this.items();
    if (index !== null && index < list.length) list.length = index;
    for (const item of items) list.push(PatchedPlace.of(item));
  }
}

const SCREEN = new SetAside('a change to what the chat shows besides requests and answers');

/** Replays the lines of a session's log: a first state, and changes to it. */
export class OperationLog {
  root: PatchedPlace | null = null;

  /** Applies a line, also where what it changes is nothing that is read. */
  apply(line: JsonPlace): RecordFate {
    const fate = this.#change(line);
    return fate === null && !isRead(line.get('k').items()) ? SCREEN : fate;
  }

  #change(line: JsonPlace): string | null {
    const kind = line.get('kind').count();
    if (kind === 0) {
      this.root = PatchedPlace.of(line.get('v'));
      return null;
    }
    if (kind === null || kind > 3) return 'no operation of the log';
    const { root } = this;
    const path = line.get('k').items();
    if (root === null) return 'a change before the first state';
    if (kind === 2) {
      const target = walk(root, path);
      if (target === null) return 'a change to something that is not there';
      const index = line.get('i').count();
      target.append(line.get('v').items(), index);
      return null;
    }
    const key = path.at(-1);
    const target = walk(root, path.slice(0, -1));
    if (key === undefined || target === null) return 'a change to something that is not there';
    const value = kind === 1 ? line.get('v') : new JsonPlace(line.source, undefined);
    return target.put(key, PatchedPlace.of(value))
      ? null
      : 'a change to something that is not there';
  }
}

/** Of a session and of its requests: what the importer looks at. */
const READ_OF_SESSION: ReadonlySet<string> = new Set(['customTitle', 'requests', 'sessionId']);
const READ_OF_REQUEST: ReadonlySet<string> = new Set([
  'isCanceled',
  'message',
  'modelId',
  'response',
  'result',
  'timestamp',
]);

function isRead([member, , ofRequest]: readonly JsonPlace[]): boolean {
  const key = member?.text() ?? null;
  if (key !== null && !READ_OF_SESSION.has(key)) return false;
  const inner = ofRequest?.text() ?? null;
  return inner === null || READ_OF_REQUEST.has(inner);
}

function walk(root: PatchedPlace, path: readonly JsonPlace[]): PatchedPlace | null {
  let at: PatchedPlace = root;
  for (const key of path) {
    const name = key.text();
    const index = key.count();
    const next = name !== null ? at.get(name) : index === null ? undefined : at.items()[index];
    if (next === undefined) return null;
    at = next;
  }
  return at;
}
