import { type ContentPart, type Elision, notCaptured, type Step, type Usage } from '@misstep/model';
import { addCompactions, feeRequests, feesIn, hourWrites } from './chat-usage.ts';
import type { JsonPlace } from './json-place.ts';
import { firstLine } from './one-line.ts';
import {
  type Answer,
  addOrigin,
  BY_ID,
  isEmptyAt,
  type Moment,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from './run-writer.ts';
import { splitToolName } from './tool-name.ts';

/** What a client adds to Anthropic's content blocks: how results say that they failed or are cut. */
export interface BlockStyle {
  verdictOf(text: string, isError: boolean): Pick<Answer, 'status' | 'reason'>;
  cutsIn(text: string, pointer: string): Elision[];
  /** Names of tools that start a sub-agent. */
  readonly agentTools: ReadonlySet<string>;
  /** Server, tool and arguments where the input holds them; null where the name does. */
  unwrap?(
    name: string,
    input: JsonPlace,
  ): { server: string; tool: string; given: JsonPlace } | null;
}

export interface ModelMessage {
  /** Blocks of the same message may come in several records. */
  readonly messageId: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
}

interface ModelCall {
  readonly step: Step;
  text: string | null;
  readonly tools: string[];
}

/** Messages whose content is Anthropic's blocks, to steps. */
export class MessageSteps {
  readonly writer: RunWriter;
  /** Servers whose names are known, to split `mcp__server__tool`. */
  readonly servers = new Set<string>();
  readonly #style: BlockStyle;
  readonly #byMessage = new Map<string, ModelCall>();
  readonly #calls: ModelCall[] = [];

  constructor(writer: RunWriter, style: BlockStyle) {
    this.writer = writer;
    this.#style = style;
  }

  /** A message of the model, or a further part of one; its step. */
  assistant(record: JsonPlace, content: JsonPlace, at: Moment | null, said: ModelMessage): Step {
    const call = this.#modelCall(record, at, said);
    const blocks = content.kind === 'array' ? content.items() : content.isThere ? [content] : [];
    for (const block of blocks) {
      const type = block.get('type').text() ?? '';
      if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
        call.tools.push(this.#toolUse(record, block, at).name);
      } else if (!type.endsWith('_tool_result') || this.answer(record, block, at) !== null) {
        const { part, text } = contentPart(block);
        call.step.content.push(part);
        if (part.kind === 'text' && text !== null && text.trim() !== '') call.text ??= text;
      }
    }
    return call.step;
  }

  /** Tokens that a further record tells of a message that is known. */
  sayUsage(record: JsonPlace, messageId: string, usage: Usage | null): Step | null {
    const known = this.#byMessage.get(messageId);
    if (known === undefined || usage === null) return null;
    addOrigin(known.step, record.origin());
    known.step.usage = largerUsage(known.step.usage, usage);
    return known.step;
  }

  #modelCall(record: JsonPlace, at: Moment | null, said: ModelMessage): ModelCall {
    const known = said.messageId === null ? undefined : this.#byMessage.get(said.messageId);
    if (known !== undefined) {
      addOrigin(known.step, record.origin());
      known.step.usage = largerUsage(known.step.usage, said.usage);
      if (at !== null) this.writer.endAt(known.step, at);
      return known;
    }
    this.writer.model ??= said.model;
    const step = this.writer.step(record.origin(), at, {
      kind: 'model',
      name: 'Model call',
      model: said.model,
      callId: said.messageId,
      usage: said.usage,
    });
    const call: ModelCall = { step, text: null, tools: [] };
    if (said.messageId !== null) this.#byMessage.set(said.messageId, call);
    this.#calls.push(call);
    return call;
  }

  #toolUse(record: JsonPlace, block: JsonPlace, at: Moment | null): Step {
    const written = block.get('name').text() ?? '';
    const input = block.get('input');
    const isAgent = this.#style.agentTools.has(written);
    const inner = this.#style.unwrap?.(written, input) ?? null;
    const named = inner ?? splitToolName(written, this.servers);
    const given = inner?.given ?? input;
    const about = isAgent ? input.get('description').text() : null;
    return this.writer.call(record.origin(), {
      kind: isAgent ? 'agent' : 'tool',
      name: (isAgent ? input.get('subagent_type').text() : null) ?? named.tool,
      server: block.get('server_name').text() ?? named.server,
      tool: named.tool,
      callId: block.get('id').text(),
      arguments: given.isThere ? given.value() : null,
      summary: about === null ? summaryOfArguments(given) : firstLine(about),
      at,
    });
  }

  /** Gives a `tool_result` block to its call; says why it can't, or null. */
  answer(record: JsonPlace, block: JsonPlace, at: Moment | null): string | null {
    const id = block.get('tool_use_id').text();
    const step = this.writer.takeOpen(id);
    if (step === null) {
      const answered = this.writer.lastCall(id);
      if (answered === null) return 'a result whose call is not in the file';
      addOrigin(answered, record.origin());
      return null;
    }
    const content = block.get('content');
    const { text, cuts } = this.#readResult(content);
    this.writer.answer(step, record.origin(), {
      ...this.#style.verdictOf(text, block.get('is_error').isTrue()),
      result: content.isThere ? content.value(cuts) : notCaptured(this.writer.evidence),
      emptyResult: isEmptyAt(content),
      at,
      pairing: BY_ID,
    });
    return null;
  }

  #readResult(content: JsonPlace): { text: string; cuts: Elision[] } {
    const own = content.text();
    if (own !== null) return { text: own, cuts: this.#style.cutsIn(own, '') };
    const texts: string[] = [];
    const cuts: Elision[] = [];
    for (const [index, item] of content.items().entries()) {
      const text = item.get('text').text();
      if (text === null) continue;
      texts.push(text);
      for (const cut of this.#style.cutsIn(text, `/${index}/text`)) cuts.push(cut);
    }
    return { text: texts.join('\n'), cuts };
  }

  finish(): void {
    for (const { step, text, tools } of this.#calls) {
      const calls = tools.length === 0 ? '' : `calls ${tools.join(', ')}`;
      step.summary = firstLine(text ?? calls) || (step.content.length > 0 ? '(thinking)' : '');
    }
  }
}

/** A block that is no call and no result, with its text where it is text. */
export function contentPart(block: JsonPlace): { part: ContentPart; text: string | null } {
  const own = block.text();
  if (own !== null) return { part: textPart(block), text: own };
  const type = block.get('type').text() ?? '';
  const key = type === 'thinking' || type === 'reasoning' ? 'thinking' : 'text';
  const named = block.get(key);
  const place = named.text() === null ? block.get('text') : named;
  const text = place.text();
  if (text !== null && (key === 'thinking' || type === 'text' || type === '')) {
    return { part: textPart(place, key), text };
  }
  if (type === 'redacted_thinking') {
    return {
      part: { kind: 'thinking', value: { ...block.value(), state: 'redacted' } },
      text: null,
    };
  }
  const kind = type === 'image' || type === 'document' ? type : 'other';
  return { part: { kind, value: block.value() }, text: null };
}

/** Usage as Anthropic's API counts it: input without what came from or went into the cache. */
export function anthropicUsage(usage: JsonPlace): Usage | null {
  const count = (...keys: readonly string[]): number | null => {
    const own = usage.view?.at(...keys);
    return addCompactions(own?.node.kind === 'number' ? own.count : null, usage.view, ...keys);
  };
  const inputTokens = count('input_tokens');
  const outputTokens = count('output_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: count('cache_read_input_tokens'),
    cacheWriteTokens: count('cache_creation_input_tokens'),
    ...hourWrites(count('cache_creation', 'ephemeral_1h_input_tokens')),
    ...feeRequests(feesIn(usage.view)),
    inputExcludesCache: true,
  };
}

/** Early records of a message carry a streaming partial: the largest is the message's own. */
function largerUsage(known: Usage | null, next: Usage | null): Usage | null {
  if (known === null || next === null) return known ?? next;
  const larger = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? (a ?? b) : Math.max(a, b);
  return {
    inputTokens: larger(known.inputTokens, next.inputTokens),
    outputTokens: larger(known.outputTokens, next.outputTokens),
    cacheReadTokens: larger(known.cacheReadTokens, next.cacheReadTokens),
    cacheWriteTokens: larger(known.cacheWriteTokens, next.cacheWriteTokens),
    ...hourWrites(larger(known.cacheWriteHourTokens ?? null, next.cacheWriteHourTokens ?? null)),
    ...feeRequests(larger(known.feeRequests ?? null, next.feeRequests ?? null)),
    inputExcludesCache: known.inputExcludesCache,
  };
}
