import { OPENING, openingOf, setBranchesApart } from '../continuation.ts';
import type { Importer, ImportInput, ImportResult, SourceGroup, SourceHead } from '../importer.ts';
import type { JsonPlace } from '../json-place.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { field, isObject, textField } from '../plain-fields.ts';
import { type JsonSource, readJsonLines, resultOf } from '../read-json-source.ts';
import { counted, IssueList, type RecordFate, RecordLedger, SetAside } from '../record-ledger.ts';
import { isUuid, recordNumber } from '../record-number.ts';
import { sourcesInOrder } from '../run-sources.ts';
import { draftOf, momentAt, RunWriter } from '../run-writer.ts';
import { makeSourceHead } from '../source-head.ts';
import { readMilliseconds } from '../source-time.ts';
import { StepAliases } from '../step-aliases.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { noteMissingTime } from '../unreadable-time.ts';
import { type Copied, type CopiedTurns, CopyHistory } from './codex-rollout/copied-turns.ts';
import { readEvent } from './codex-rollout/events.ts';
import { addCompaction, readItem } from './codex-rollout/items.ts';
import { Rollout } from './codex-rollout/rollout.ts';

/** Session files of Codex, current and from before records had an envelope. */
export const codexRollout: Importer = {
  id: 'codex-rollout',
  title: 'Codex rollout',
  evidence: 'logged',
  revision: 10,
  sniff,
  group: groupOf,
  read,
};

const ENVELOPES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
]);
const PROTOCOL_EVENTS =
  /^(?:session_configured|task_started|agent_message|agent_reasoning|exec_command_|mcp_tool_call_|token_count|task_complete)/;
const LEGACY_ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
]);

function sniff(head: SourceHead): number {
  const known = head.lineValues.filter(
    (value) => ENVELOPES.has(textField(value, 'type') ?? '') && isObject(field(value, 'payload')),
  ).length;
  if (known > 0) return 0.55 + 0.4 * (known / head.lines.length);
  const protocol = head.lineValues.filter((value) => {
    const event = textField(field(value, 'msg'), 'type');
    return textField(value, 'id') !== null && event !== null && PROTOCOL_EVENTS.test(event);
  }).length;
  if (protocol > 0) return 0.5 + 0.4 * (protocol / head.lines.length);
  if (head.lines.length === 0) {
    const begins = /^\s*\{(?=.{0,200}"type"\s*:\s*"session_meta")(?=.{0,300}"payload"\s*:)/s;
    return begins.test(head.text.slice(0, 600)) ? 0.8 : 0;
  }
  return isLegacy(head) ? 0.97 : 0;
}

/**
 * An id and a time without a type among the first lines, and bare items. Where that head is lost,
 * states between the items tell them from those of the API.
 */
function isLegacy({ lineValues }: SourceHead): boolean {
  const isHead = (value: unknown): boolean =>
    textField(value, 'id') !== null &&
    textField(value, 'timestamp') !== null &&
    field(value, 'type') === undefined &&
    field(value, 'role') === undefined;
  const isState = (value: unknown): boolean => textField(value, 'record_type') !== null;
  const isItem = (value: unknown): boolean => LEGACY_ITEMS.has(textField(value, 'type') ?? '');
  const hasItems = lineValues.some(isItem);
  if (lineValues.slice(0, 5).some(isHead)) return hasItems || lineValues.some(isState);
  return hasItems && lineValues.some(isState);
}

/** A sub-agent's rollout names the thread that started it, a fork the one that it was made from. */
function groupOf(head: SourceHead): SourceGroup | null {
  const metas = head.lineValues.filter((value) => textField(value, 'type') === 'session_meta');
  const [meta] = metas;
  const payload = field(meta, 'payload');
  const id = textField(payload, 'id');
  if (id === null) return null;
  const spawn = field(field(field(payload, 'source'), 'subagent'), 'thread_spawn');
  const parent = textField(spawn, 'parent_thread_id') ?? textField(payload, 'parent_thread_id');
  if (parent !== null && parent !== id)
    return { key: parent, role: 'companion', part: id, links: [id] };
  const from = textField(payload, 'forked_from_id');
  const stamp = textField(payload, 'timestamp') ?? textField(meta, 'timestamp');
  // The client gives each thread an id of its own: two files with one are copies of one thread.
  const numbers = isUuid(id) ? [recordNumber(`thread ${id}`)] : [];
  const found = { key: id, numbers, beganAtMs: readMilliseconds(stamp) };
  if (from === null || from === id) return { ...found, role: 'main', part: null };
  // A fork of a fork holds the heads of both: the one between may not be here.
  const above = metas.flatMap((each) => {
    const of = field(each, 'payload');
    return [textField(of, 'id') ?? id, textField(of, 'forked_from_id') ?? id];
  });
  const links = [...new Set(above)].filter((each) => each !== id);
  return { ...found, role: 'main', part: null, links, continues: true };
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const { main } = input;
  const group = input.mainGroup ?? groupOf(await makeSourceHead(main));
  const ordered = sourcesInOrder(input);
  const isLone = !ordered.some(({ role, reader }) => role === 'first' && reader !== main);
  if (group?.role === 'companion' && isLone) {
    issues.add(
      'COMPANION_WITHOUT_MAIN',
      `This is the rollout of sub-agent ${firstLine(group.part ?? '', 100)}; the session that started it is not here.`,
      main.sha256,
    );
  }
  const sources: JsonSource[] = [];
  const rollouts: Rollout[] = [];
  const history = new CopyHistory(ordered.some(({ role }) => role === 'next'));
  const aliases = new StepAliases();
  for (const each of ordered) {
    const { reader } = each;
    const source = {
      reader,
      ledger: new RecordLedger(reader.sha256),
      issues,
      evidence: 'logged',
    } as const;
    const writer = new RunWriter(reader, issues, 'logged', each.part);
    if (each.role === 'next') {
      writer.goesOnFrom =
        rollouts.findLast(({ source }) => source.role !== 'below')?.writer ?? null;
    }
    const rollout = new Rollout(writer, issues, each);
    const reading = new RolloutReader(rollout, history.behind(each), aliases);
    await readJsonLines(
      source,
      input,
      () => writer.steps.length,
      (record) => reading.readRecord(record),
    );
    rollout.finish();
    sources.push(source);
    rollouts.push(rollout);
  }
  linkAgents(rollouts, issues);
  setBranchesApart(
    rollouts
      .filter(({ source }, index) => index === 0 || source.role === 'next')
      .map(({ opening, writer: { steps } }) => ({ opening, steps })),
  );
  const streams = rollouts.map(({ writer }) => writer.steps);
  aliases.apply(streams);
  const [first] = rollouts;
  const known = rollouts.find(({ source }) => source.rank === 0);
  const draft = draftOf(orderSteps(streams), {
    key: known?.sessionId ?? '0',
    title: null,
    client: clientOf(first),
    model: first?.writer.model ?? null,
    naturalId: first?.sessionId ?? null,
    clock: first?.writer.clock ?? null,
    sourceName: ordered[0]?.reader.name ?? main.name,
  });
  return resultOf(draft === null ? [] : [draft], sources, issues);
}

function clientOf(rollout: Rollout | undefined): string {
  const name = [rollout?.originator ?? '', rollout?.version ?? ''].filter((each) => each !== '');
  return name.length === 0 ? 'Codex' : firstLine(`Codex (${name.join(' ')})`, 200);
}

/** Puts the steps of a sub-agent below the call that started it. */
function linkAgents([main, ...others]: readonly Rollout[], issues: IssueList): void {
  for (const rollout of others) {
    if (rollout.source.role === 'next') continue;
    const call = [main, ...others]
      .map((each) => each?.agents.get(rollout.sessionId ?? ''))
      .find((step) => step !== undefined);
    if (call === undefined) {
      issues.add(
        'SUBAGENT_UNLINKED',
        `No call is known to have started agent ${firstLine(rollout.sessionId ?? '?', 100)}; its steps stand at the top.`,
        rollout.writer.sha256,
      );
      continue;
    }
    for (const step of rollout.writer.steps) step.parentId ??= call.id;
  }
}

const COPIED = new SetAside("a copy of the parent session's turns");
const SAME_SETTINGS = new SetAside('settings of a turn, the model as before');
const STATE = new SetAside('a note of what the client had stored');
const WORLD = new SetAside('a note of what the client knows of its surroundings');
const USAGE_RECORD = new SetAside('the tokens of an answer, which the token count tells as well');
const OTHER_SESSION = new SetAside('the head of the session that this one was forked from');

class RolloutReader {
  readonly #rollout: Rollout;
  /** What was copied to the beginning of this one, as far as it's known. */
  readonly #copied: CopiedTurns;
  readonly #aliases: StepAliases;

  constructor(rollout: Rollout, copied: CopiedTurns, aliases: StepAliases) {
    this.#rollout = rollout;
    this.#copied = copied;
    this.#aliases = aliases;
  }

  readRecord(record: JsonPlace): RecordFate {
    const type = record.get('type').text();
    const payload = record.get('payload');
    if (type === null || !ENVELOPES.has(type)) return this.#readBare(record, type);
    if (payload.kind !== 'object') return 'a record without a payload';
    const at = momentAt(record.get('timestamp'));
    const stamp = record.get('timestamp');
    const timeText = stamp.text() ?? stamp.written();
    if (at === null) noteMissingTime(this.#rollout.issues, timeText, record.origin());
    const isTurn = type === 'turn_context' || payload.get('type').text() === 'task_started';
    const turnId = isTurn ? payload.get('turn_id').text() : null;
    const copied =
      type === 'session_meta'
        ? null
        : this.#copied.find(
            payload.written() ?? '',
            record.origin().offset,
            turnId,
            at?.ns ?? null,
          );
    if (copied !== null) {
      this.#noteCopy(record, turnId, copied);
      this.#followCopy(type, payload);
      return COPIED;
    }
    if (type !== 'session_meta') noteContinuation(this.#rollout, record, at);
    const { steps } = this.#rollout.writer;
    const before = steps.length;
    const reason = this.#readEnvelope(record, type, payload, at);
    for (const { time } of at === null ? steps.slice(before) : []) time.startedAtText ??= timeText;
    this.#rollout.passed(at);
    return reason;
  }

  /** What goes on from a copy goes on with its model, and with the tokens that were spent until then. */
  #followCopy(type: string, payload: JsonPlace): void {
    const { writer } = this.#rollout;
    if (type === 'turn_context') writer.model = payload.get('model').text() ?? writer.model;
    if (payload.get('type').text() === 'token_count') this.#rollout.seeTotal(payload.get('info'));
  }

  #readEnvelope(
    record: JsonPlace,
    type: string,
    payload: JsonPlace,
    at: ReturnType<typeof momentAt>,
  ): RecordFate {
    const rollout = this.#rollout;
    switch (type) {
      case 'session_meta':
        return readMeta(rollout, payload);
      case 'turn_context': {
        const model = payload.get('model').text();
        if (model === null || model === rollout.writer.model) return SAME_SETTINGS;
        rollout.writer.model = model;
        return null;
      }
      case 'compacted':
        addCompaction(rollout, record, payload.get('message'), at);
        return null;
      case 'world_state':
        return WORLD;
      case 'token_usage_record':
        return USAGE_RECORD;
      case 'response_item':
        return readItem(rollout, record, payload, at);
      default:
        return readEvent(rollout, record, payload, at);
    }
  }

  #readBare(record: JsonPlace, type: string | null): RecordFate {
    const rollout = this.#rollout;
    if (record.get('record_type').text() !== null) return STATE;
    const event = record.get('msg');
    if (event.get('type').text() !== null) return this.#readProtocol(record, event);
    if (type !== null) return readItem(rollout, record, record, null);
    if (record.get('role').text() !== null) return readItem(rollout, record, record, null);
    if (record.get('id').text() === null) return 'a record without a type';
    return readMeta(rollout, record);
  }

  /** The protocol's stream: the same events, each in an envelope with its submission's id. */
  #readProtocol(record: JsonPlace, event: JsonPlace): RecordFate {
    const rollout = this.#rollout;
    if (event.get('type').text() === 'session_configured') {
      rollout.sessionId ??= event.get('session_id').text();
      rollout.writer.model ??= event.get('model').text();
      return null;
    }
    return readEvent(rollout, record, event, momentAt(record.get('timestamp')));
  }

  #noteCopy(record: JsonPlace, turnId: string | null, copied: Copied): void {
    const { sha256, offset } = record.origin();
    const { original } = copied;
    if (original !== null) {
      this.#aliases.note(original.source, original.offset, this.#rollout.source, offset);
    }
    if (copied.by === 'inferred') {
      this.#rollout.issues.count(
        'COPIES_INFERRED',
        (count) =>
          `${counted(count, 'record')} that say what another session of this run says at the same place, taken for its copy; counted once.`,
        sha256,
        offset,
      );
      return;
    }
    if (turnId === null) return;
    this.#rollout.issues.count(
      'COPIED_TURNS',
      (count) => `${counted(count, 'turn marker')} of the parent's turns, copied; counted once.`,
      sha256,
      offset,
    );
  }
}

/** The first record that a fork adds is told by a step of its own. */
function noteContinuation(
  rollout: Rollout,
  record: JsonPlace,
  at: ReturnType<typeof momentAt>,
): void {
  const { source, writer, sessionId } = rollout;
  if (source.role !== 'next' || rollout.opening !== null) return;
  rollout.opening = writer.step(record.origin(), at, openingOf(sessionId), OPENING);
}

function readMeta(rollout: Rollout, meta: JsonPlace): RecordFate {
  if (rollout.sessionId !== null) return OTHER_SESSION;
  rollout.sessionId = meta.get('id').text();
  rollout.version = meta.get('cli_version').text();
  rollout.originator = meta.get('originator').text();
  return null;
}
