import { type JsonNode, member, stringValue } from '@misstep/json';
import { readUsd, type Step, type Usage } from '@misstep/model';
import { argumentSummary } from '../../argument-summary.ts';
import { feeRequests, hourWrites } from '../../chat-usage.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { countField, field, textField } from '../../plain-fields.ts';
import { splitToolName } from '../../tool-name.ts';
import { partOf, partsOf } from './content-parts.ts';
import type { ModelCall } from './model-calls.ts';
import type { SessionRecord } from './record.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

const AGENT_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent']);

/** Reads a record of type `assistant`; returns why it can't be, or null. */
export function readAssistantRecord(
  session: Session,
  thread: Thread,
  record: SessionRecord,
): string | null {
  const { document, plain } = record;
  const message = member(document, document.root, 'message');
  const content = member(document, message, 'content');
  if (content?.kind !== 'string' && content?.kind !== 'array') {
    return 'an assistant record without a message';
  }
  const model = textField(field(plain, 'message'), 'model');
  if (model === '<synthetic>' || field(plain, 'isApiErrorMessage') === true) {
    const isError = field(plain, 'isApiErrorMessage') === true;
    const parts = partsOf(record, content, '/message/content');
    session.step(thread, record, {
      kind: 'note',
      name: isError ? 'API error' : 'Client message',
      content: parts.map(({ part }) => part),
      summary: firstLine(parts[0]?.text ?? ''),
    });
    return null;
  }
  const call = modelCallOf(session, thread, record, model);
  if (content.kind === 'string') {
    thread.modelCalls.addParts(call, partsOf(record, content, '/message/content'));
    return null;
  }
  for (const [index, block] of content.items.entries()) {
    const pointer = `/message/content/${index}`;
    const type = member(document, block, 'type');
    const kind = type?.kind === 'string' ? stringValue(document, type) : '';
    if (kind === 'tool_use' || kind === 'server_tool_use') {
      thread.modelCalls.addTool(call, addToolCall(session, thread, record, block, pointer).name);
    } else if (kind.endsWith('_tool_result')) {
      if (!session.calls.answer(record, block, pointer))
        thread.modelCalls.addParts(call, partOf(record, block, pointer));
    } else {
      thread.modelCalls.addParts(call, partOf(record, block, pointer));
    }
  }
  return null;
}

/** The message's step: made by its first record, and added to by the others. */
function modelCallOf(
  session: Session,
  thread: Thread,
  record: SessionRecord,
  model: string | null,
): ModelCall {
  const message = field(record.plain, 'message');
  const messageId = textField(message, 'id');
  const requestId = textField(record.plain, 'requestId');
  const key = messageId === null ? `at ${record.origin.offset}` : `${messageId} ${requestId}`;
  const known = thread.modelCalls.get(key);
  const usage = usageOf(field(message, 'usage'));
  if (known !== null) {
    known.step.moreOrigins.push(record.origin);
    known.step.usage = laterUsage(known.step.usage, usage);
    known.step.recordedCostUsd ??= costOf(record);
    if (record.time !== null) {
      const { time } = known.step;
      if (time.endedAtNs === null || record.time.ns >= time.endedAtNs) {
        time.endedAtNs = record.time.ns;
        time.endedAtText = record.time.text;
      }
    }
    return known;
  }
  session.model ??= model;
  const step = session.step(thread, record, {
    kind: 'model',
    name: 'Model call',
    model,
    callId: messageId,
    usage,
    recordedCostUsd: costOf(record),
  });
  step.time = modelTime(session, record, step.time);
  return thread.modelCalls.add(key, step);
}

/** A record's time is when its block ended; the call began when the record before it was done. */
function modelTime(session: Session, record: SessionRecord, own: Step['time']): Step['time'] {
  const before = record.parentUuid === null ? null : session.seen.get(record.parentUuid)?.time;
  if (record.time === null || before === null || before === undefined) {
    return { ...own, endedAtNs: own.startedAtNs, endedAtText: own.startedAtText };
  }
  if (before.ns > record.time.ns) {
    return { ...own, endedAtNs: own.startedAtNs, endedAtText: own.startedAtText };
  }
  return {
    startedAtNs: before.ns,
    startedAtText: before.text,
    endedAtNs: record.time.ns,
    endedAtText: record.time.text,
    evidence: 'derived',
  };
}

function addToolCall(
  session: Session,
  thread: Thread,
  record: SessionRecord,
  block: JsonNode,
  pointer: string,
): Step {
  const { document } = record;
  const text = (node: JsonNode | undefined): string | null =>
    node?.kind === 'string' ? stringValue(document, node) : null;
  const written = text(member(document, block, 'name')) ?? '';
  const input = member(document, block, 'input');
  const isAgent = AGENT_TOOLS.has(written);
  const agentName = isAgent ? text(member(document, input, 'subagent_type')) : null;
  const about = isAgent ? text(member(document, input, 'description')) : null;
  const { server, tool } = splitToolName(written);
  const step = session.step(thread, record, {
    kind: isAgent ? 'agent' : 'tool',
    name: oneLine(agentName ?? tool, 200) || '(no name)',
    server,
    tool,
    callId: text(member(document, block, 'id')),
    status: 'unanswered',
    statusReason: 'The session holds no result.',
    pairing: { by: 'none', derived: false },
    arguments: input === undefined ? null : record.value(input, `${pointer}/input`),
    summary:
      about === null
        ? input === undefined
          ? ''
          : argumentSummary(document, input)
        : firstLine(about),
  });
  session.calls.open(step, thread);
  const prompt = isAgent ? text(member(document, input, 'prompt')) : null;
  if (prompt !== null) {
    const sharing = session.calls.byPrompt.get(prompt.trim());
    if (sharing === undefined) session.calls.byPrompt.set(prompt.trim(), [step]);
    else sharing.push(step);
  }
  return step;
}

function usageOf(usage: unknown): Usage | null {
  // What the API spent on compacting is among the iterations and in no total.
  const iterations = field(usage, 'iterations');
  const compactions = (Array.isArray(iterations) ? iterations : []).filter(
    (each) => textField(each, 'type') === 'compaction',
  );
  const count = (read: (usage: unknown) => number | null): number | null =>
    compactions.reduce<number | null>((sum, each) => {
      const more = read(each);
      return more === null ? sum : (sum ?? 0) + more;
    }, read(usage));
  const countOf = (key: string) => count((each) => countField(each, key));
  const outputTokens = countOf('output_tokens');
  const inputTokens = countOf('input_tokens');
  if (outputTokens === null && inputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countOf('cache_read_input_tokens'),
    cacheWriteTokens: countOf('cache_creation_input_tokens'),
    ...hourWrites(
      count((each) => countField(field(each, 'cache_creation'), 'ephemeral_1h_input_tokens')),
    ),
    ...feeRequests(countField(field(usage, 'server_tool_use'), 'web_search_requests')),
    inputExcludesCache: true,
  };
}

/** Early records of a message carry a streaming partial: the largest is the message's own. */
function laterUsage(known: Usage | null, next: Usage | null): Usage | null {
  if (known === null || next === null) return known ?? next;
  const max = (a: number | null, b: number | null): number | null =>
    a === null ? b : b === null ? a : Math.max(a, b);
  return {
    inputTokens: max(known.inputTokens, next.inputTokens),
    outputTokens: max(known.outputTokens, next.outputTokens),
    cacheReadTokens: max(known.cacheReadTokens, next.cacheReadTokens),
    cacheWriteTokens: max(known.cacheWriteTokens, next.cacheWriteTokens),
    ...hourWrites(max(known.cacheWriteHourTokens ?? null, next.cacheWriteHourTokens ?? null)),
    ...feeRequests(max(known.feeRequests ?? null, next.feeRequests ?? null)),
    inputExcludesCache: true,
  };
}

/** Early versions of the client stated the cost of a message; its other lines repeat it. */
function costOf({ document }: SessionRecord): string | null {
  const stated = member(document, document.root, 'costUSD');
  if (stated === undefined || stated.kind !== 'number') return null;
  const written = document.text.slice(stated.start, stated.end);
  return readUsd(written) === null ? null : written;
}
