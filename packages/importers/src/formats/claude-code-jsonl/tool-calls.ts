import { type JsonNode, member, stringValue } from '@misstep/json';
import { type Elision, notCaptured, type Step } from '@misstep/model';
import { cutsInText } from '../../cut-marks.ts';
import { isEmptyContent, isEmptyText } from '../../empty-result.ts';
import { ownText } from '../../own-text.ts';
import { field, textField } from '../../plain-fields.ts';
import { counted, type IssueList } from '../../record-ledger.ts';
import { StepTable } from '../../step-table.ts';
import type { SessionRecord } from './record.ts';
import { verdictOf } from './result-text.ts';
import type { Thread } from './thread.ts';

interface OpenCall {
  readonly step: Step;
  readonly thread: Thread;
}

/** The calls of a session, paired with their results by id over all sources. */
export class ToolCalls {
  /** Agent id to the step of the call that started it. */
  readonly agents = new Map<string, Step>();
  /** Calls of sub-agents by the prompt they were given. */
  readonly byPrompt = new Map<string, Step[]>();
  readonly #issues: IssueList;
  readonly #open = new Map<string, OpenCall[]>();
  readonly #latest = new StepTable();
  /** Calls of each thread since its last interruption. */
  readonly #waiting = new Map<Thread, Set<Step>>();

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  open(step: Step, thread: Thread): void {
    const id = ownText(step.callId ?? '');
    const calls = this.#open.get(id);
    if (calls === undefined) this.#open.set(id, [{ step, thread }]);
    else calls.push({ step, thread });
    this.#latest.set(id, step);
    const waiting = this.#waiting.get(thread);
    if (waiting === undefined) this.#waiting.set(thread, new Set([step]));
    else waiting.add(step);
  }

  byCallId(id: string): Step | null {
    return this.#latest.get(id);
  }

  /** Calls of the thread that wait for a result when the person interrupts. */
  interrupt(thread: Thread): void {
    for (const step of this.#waiting.get(thread) ?? []) {
      step.status = 'interrupted';
      step.statusReason = 'The user interrupted the request.';
    }
    this.#waiting.delete(thread);
  }

  /** Gives a result to the nearest call with its id; false where there is none. */
  answer(record: SessionRecord, block: JsonNode, pointer: string): boolean {
    const { document } = record;
    const idNode = member(document, block, 'tool_use_id');
    if (idNode?.kind !== 'string') return false;
    const id = stringValue(document, idNode);
    const call = this.#open.get(id)?.pop();
    if (call === undefined) return this.#answerAgain(record, id);
    if (this.#open.get(id)?.length === 0) this.#open.delete(id);
    const { step } = call;
    this.#waiting.get(call.thread)?.delete(step);
    const structured = field(record.plain, 'toolUseResult');
    const content = member(document, block, 'content');
    const { text, elisions } = readContent(record, content);
    const flag = member(document, block, 'is_error');
    const isError = flag?.kind === 'literal' && flag.value === true;
    const verdict = verdictOf(text, isError, structured);
    step.pairing = { by: 'id', derived: false };
    step.status = verdict.status;
    step.statusReason = verdict.reason ?? launchNote(structured);
    step.result =
      content === undefined
        ? notCaptured('logged')
        : record.value(content, `${pointer}/content`, elisions);
    step.emptyResult =
      elisions.length > 0 || content === undefined ? null : isEmpty(record, content);
    step.time.endedAtNs = record.time?.ns ?? null;
    step.time.endedAtText = record.timeText;
    step.moreOrigins.push(record.origin);
    const agentId = textField(structured, 'agentId');
    if (agentId !== null) this.agents.set(ownText(agentId), step);
    return true;
  }

  #answerAgain(record: SessionRecord, id: string): boolean {
    const step = this.#latest.get(id);
    if (step === null) return false;
    step.moreOrigins.push(record.origin);
    this.#issues.count(
      'DUPLICATE_RESULT',
      (count) =>
        `${counted(count, 'further result')} for calls that already have one; the first stands.`,
      record.origin.sha256,
      record.origin.offset,
    );
    return true;
  }
}

function readContent(
  record: SessionRecord,
  content: JsonNode | undefined,
): { text: string; elisions: Elision[] } {
  const { document } = record;
  if (content?.kind === 'string') {
    const text = stringValue(document, content);
    return { text, elisions: cutsInText(text, '') };
  }
  if (content?.kind !== 'array') return { text: '', elisions: [] };
  const texts: string[] = [];
  const elisions: Elision[] = [];
  for (const [index, item] of content.items.entries()) {
    const node = item.kind === 'string' ? item : member(document, item, 'text');
    if (node?.kind !== 'string') continue;
    const text = stringValue(document, node);
    texts.push(text);
    const pointer = item === node ? `/${index}` : `/${index}/text`;
    for (const cut of cutsInText(text, pointer)) elisions.push(cut);
  }
  return { text: texts.join('\n'), elisions };
}

function isEmpty({ document }: SessionRecord, content: JsonNode): boolean | null {
  if (content.kind === 'string') return isEmptyText(stringValue(document, content));
  return content.kind === 'array' ? isEmptyContent(document, content.items) : null;
}

function launchNote(structured: unknown): string | null {
  const launched = textField(structured, 'status') === 'async_launched';
  return launched ? 'Started in the background; this is no answer yet.' : null;
}
