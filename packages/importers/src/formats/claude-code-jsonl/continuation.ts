import { OPENING, openingOf } from '../../continuation.ts';
import type { SourceGroup } from '../../importer.ts';
import { firstLine } from '../../one-line.ts';
import { field, isObject, textField } from '../../plain-fields.ts';
import type { RunSource } from '../../run-sources.ts';
import { readMilliseconds } from '../../source-time.ts';
import { makeStep, stepIdAt } from '../../step-builder.ts';
import { idNumberOf } from '../../step-ids.ts';
import type { SessionRecord } from './record.ts';
import { RecordNumbers, tellingId } from './record-numbers.ts';
import type { Session } from './session.ts';
import { addToThread, makeThread, type Thread } from './thread.ts';

/**
 * What a session file has in common with those that it was resumed or forked from: they open with the
 * same message under the same uuid, whatever session id it was given; newer ones name the session. A
 * file that begins later, or with copies under other uuids, is found by the numbers of its records.
 */
export function linksOf(
  records: readonly unknown[],
): Pick<SourceGroup, 'links' | 'continues' | 'beganAtMs' | 'numbers'> {
  const links: string[] = [];
  const first = records.find(
    (value) => textField(value, 'uuid') !== null && isObject(field(value, 'message')),
  );
  const said = first === undefined ? null : writtenAgain(first);
  if (said !== null) {
    const id = tellingId(textField(first, 'uuid') ?? '', first);
    links.push(`opening ${id} ${idNumberOf(said).toString(36)}`);
  }
  const forked = records.find((value) => isObject(field(value, 'forkedFrom')));
  const from = textField(field(forked, 'forkedFrom'), 'sessionId');
  if (from !== null) links.push(from);
  const beganAtMs = readMilliseconds(textField(first, 'timestamp'));
  const numbers = new RecordNumbers();
  for (const record of records) numbers.take(record);
  return { links, continues: from !== null, beganAtMs, numbers: [...numbers.list()] };
}

/** Null for one that nests deeper than can be written. */
function writtenAgain(record: unknown): string | null {
  try {
    return JSON.stringify(field(record, 'message'));
  } catch {
    return null;
  }
}

/** A thread for what a resumed or forked session adds; blocks of one API message may stand in both. */
export function continuationOf(main: Thread, { part, reader }: RunSource): Thread {
  const { sha256 } = reader;
  const own = makeThread({ agentId: null, isMain: true, part, sha256, offset: 0 });
  return { ...own, modelCalls: main.modelCalls, isContinuation: true };
}

const OF_THE_RUN: ReadonlySet<string | null> = new Set(['user', 'assistant', 'attachment']);

/** The first record that a continuation adds is told by a step of its own. */
export function openContinuation(session: Session, thread: Thread, record: SessionRecord): void {
  if (!thread.isContinuation || thread.opening !== null) return;
  if (!OF_THE_RUN.has(textField(record.plain, 'type'))) return;
  const sessionId = textField(record.plain, 'sessionId');
  const opening = makeStep({
    id: stepIdAt(record.origin.offset, OPENING, thread.part),
    evidence: 'logged',
    origin: record.origin,
    time: session.timeAt(record),
    ...openingOf(sessionId ?? thread.part),
  });
  thread.opening = addToThread(thread, opening);
}

/** A session whose first record answers one of another file goes on from a session that isn't at hand. */
export function noteMissingParent({ issues, seen }: Session, record: SessionRecord): void {
  const { parentUuid, origin } = record;
  if (parentUuid === null || seen.has(parentUuid)) return;
  issues.add(
    'BEGINS_ELSEWHERE',
    `The first record goes on from another (parentUuid ${firstLine(parentUuid, 60)}) that isn't in this file: what came before stands elsewhere, and becomes one run with this where it is imported and a turn of it ends there.`,
    origin.sha256,
    origin.offset,
  );
}
