import type { ContentPart, Step, Usage } from '@misstep/model';
import { cutsInText } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { contentPart, MessageSteps } from '../../message-steps.ts';
import { firstLine } from '../../one-line.ts';
import { type Answer, type Moment, momentAt, type RunWriter, textPart } from '../../run-writer.ts';
import { statedUsd } from '../../stated-cost.ts';
import { inlineValue } from '../../step-builder.ts';
import { toolTagIn } from './tool-tag.ts';

const RESULT_HEAD = /^\[([\w-]{1,100})(?: for [^\n]{0,2000}?)?\] Result:[ \t]*\n?/;

/** Messages of `api_conversation_history.json` in order. */
export class ApiHistory {
  readonly messages: MessageSteps;
  readonly #writer: RunWriter;
  /** Model calls whose text is a call. */
  readonly #tagged = new Map<Step, string>();

  constructor(writer: RunWriter) {
    this.#writer = writer;
    this.messages = new MessageSteps(writer, {
      verdictOf: (text, isError) => verdictOf(text, isError),
      cutsIn: cutsInText,
      agentTools: new Set(),
      unwrap: (name, input) => {
        const server = input.get('server_name').text();
        const tool = input.get('tool_name').text();
        const isMcp = name === 'use_mcp_tool' && server !== null && tool !== null;
        return isMcp ? { server, tool, given: input.get('arguments') } : null;
      },
    });
  }

  add(message: JsonPlace): string | null {
    const role = message.get('role').text();
    const content = message.get('content');
    if (content.kind !== 'string' && content.kind !== 'array') return 'a message without content';
    const at = momentAt(message.get('ts'));
    const isSummary =
      message.get('isSummary').isTrue() || message.get('isTruncationMarker').isTrue();
    const isCompaction = message.get('metadata').get('kind').text() === 'compaction';
    if (isSummary || isCompaction) this.#addSummary(message, content, at);
    else if (role === 'assistant') this.#addAssistant(message, content, at);
    else if (role === 'user') return this.#addUser(message, content, at);
    else return `unknown role ${firstLine(role ?? '', 60)}`;
    return null;
  }

  finish(): void {
    this.messages.finish();
    for (const [step, tool] of this.#tagged) step.summary = `calls ${tool}`;
  }

  #addSummary(message: JsonPlace, content: JsonPlace, at: Moment | null): void {
    const parts = blocksOf(content).map((block) => contentPart(block));
    this.#writer.step(message.origin(), at, {
      kind: 'context',
      name: 'Context summary',
      content: parts.map(({ part }) => part),
      summary: firstLine(parts[0]?.text ?? ''),
    });
  }

  #addAssistant(message: JsonPlace, content: JsonPlace, at: Moment | null): void {
    const info = message.get('modelInfo');
    const step = this.messages.assistant(message, content, at, {
      messageId: null,
      model: info.get('modelId').text() ?? info.get('id').text(),
      usage: usageOf(message.get('metrics'), info.get('providerId').text()),
    });
    step.recordedCostUsd = statedUsd(message.get('metrics').get('cost').view);
    for (const block of blocksOf(content)) {
      const place = block.kind === 'string' ? block : block.get('text');
      const tag = toolTagIn(place.text() ?? '');
      if (tag === null) continue;
      this.#writer.call(message.origin(), {
        name: tag.tool,
        server: tag.server,
        tool: tag.tool,
        callId: null,
        // A part of a string: its bytes are escaped, so they aren't the arguments.
        arguments: inlineValue(tag.argumentText, place.origin(), 'logged'),
        summary: firstLine(tag.argumentText),
        at,
      });
      this.#tagged.set(step, tag.tool);
    }
  }

  #addUser(message: JsonPlace, content: JsonPlace, at: Moment | null): string | null {
    const typed: { part: ContentPart; text: string }[] = [];
    const details: { part: ContentPart; text: string }[] = [];
    const blocks = blocksOf(content);
    let reason: string | null = null;
    for (let index = 0; index < blocks.length; index += 1) {
      const block = blocks[index];
      if (block === undefined) continue;
      if (block.get('type').text() === 'tool_result') {
        reason = this.messages.answer(message, block, at) ?? reason;
        continue;
      }
      const place = block.kind === 'string' ? block : block.get('text');
      const text = place.text();
      const head = text === null ? null : RESULT_HEAD.exec(text);
      if (text === null || head === null) {
        const found = contentPart(block);
        if (text !== null && /^\s*<environment_details>/.test(text)) {
          details.push({ part: found.part, text });
        } else typed.push({ part: found.part, text: found.text ?? '' });
        continue;
      }
      const next = blocks[index + 1]?.get('text');
      const isSplit = text.length === head[0].length && next?.text() !== null && next !== undefined;
      const isResult = isSplit && !/^\s*<environment_details>/.test(next.text() ?? '');
      if (isResult) index += 1;
      const name = head[1] ?? '';
      if (!this.#answerByName(message, name, isResult ? next : place, at)) {
        typed.push({ part: textPart(place), text });
        reason = 'a result whose call is not in the file';
      }
    }
    this.#addTyped(message, at, typed);
    for (const { part, text } of details) {
      this.#writer.note(message.origin(), at, 'Environment details', [part], text);
    }
    return reason;
  }

  #addTyped(
    message: JsonPlace,
    at: Moment | null,
    typed: { part: ContentPart; text: string }[],
  ): void {
    if (typed.length === 0) return;
    const text = typed.map((each) => each.text).join('\n');
    const values = typed.map(({ part }) => part);
    const wrapped = /<(task|feedback|user_message|answer)>([\s\S]*?)<\/\1>/.exec(text)?.[2];
    const isOrphan = RESULT_HEAD.test(text);
    const isOurs = /^\s*(?:\[ERROR\]|<system|<SYSTEM_NOTICE>|\[TASK RESUMPTION\])/.test(text);
    if (wrapped === undefined && (isOrphan || isOurs)) {
      const name = isOrphan ? 'Result without a call' : 'Added by the client';
      this.#writer.note(message.origin(), at, name, values, text);
      return;
    }
    this.#writer.userTurn(message.origin(), at, values, (wrapped ?? text).trim());
  }

  /** A result in text names its tool, not its call: the first waiting call of that name gets it. */
  #answerByName(message: JsonPlace, name: string, place: JsonPlace, at: Moment | null): boolean {
    const fits = (step: Step): boolean =>
      step.tool === name || (name === 'use_mcp_tool' && step.server !== null);
    const step = this.#writer.takeWaiting(fits);
    if (step === null) return false;
    const text = (place.text() ?? '').replace(RESULT_HEAD, '');
    this.#writer.answer(step, message.origin(), {
      ...verdictOf(text, false),
      result: place.value(cutsInText(text, '')),
      emptyResult: text.trim() === '',
      at,
      pairing: { by: 'name-and-order', derived: true },
    });
    return true;
  }
}

function blocksOf(content: JsonPlace): JsonPlace[] {
  return content.kind === 'string' ? [content] : content.items();
}

function verdictOf(text: string, isError: boolean): Pick<Answer, 'status' | 'reason'> {
  const reason = firstLine(text, 200);
  if (/^\s*(?:The user denied this operation|\[?User denied)/i.test(text)) {
    return { status: 'rejected', reason: 'A person rejected the call; it never reached the tool.' };
  }
  const failed = /^\s*(?:The tool execution failed|Error executing|Error:|<error>)/.test(text);
  return isError || failed ? { status: 'error', reason } : { status: 'ok', reason: null };
}

function usageOf(metrics: JsonPlace, provider: string | null): Usage | null {
  const tokens = metrics.get('tokens');
  const inputTokens = tokens.get('prompt').count();
  const outputTokens = tokens.get('completion').count();
  if (inputTokens === null && outputTokens === null) return null;
  const cacheReadTokens = tokens.get('cached').count();
  // More from the cache than in all can't be.
  const apart = (cacheReadTokens ?? 0) > (inputTokens ?? 0) || provider === 'anthropic';
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens: null,
    inputExcludesCache: apart,
  };
}
