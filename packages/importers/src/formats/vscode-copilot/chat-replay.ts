import { notCaptured, type Step } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { RecordedTool } from '../../importer.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';
import {
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';
import { splitToolName } from '../../tool-name.ts';

const ELEMENT = new SetAside('a part of the prompt as it was laid out, without its text');

/** Entries of a chat replay in order, each under its prompt. */
export class ChatReplay {
  readonly tools: RecordedTool[] = [];
  readonly #writer: RunWriter;
  readonly #known = new Set<string>();

  constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  addPrompt(prompt: JsonPlace): string | null {
    const text = prompt.get('prompt');
    if (text.text() === null) return 'a prompt without its text';
    // The prompt's time is that of the first thing it caused.
    const first =
      prompt
        .get('logs')
        .items()
        .map(timeOf)
        .find((at) => at !== null) ?? null;
    this.#writer.userTurn(prompt.origin(), first, [textPart(text)], text.text() ?? '');
    return null;
  }

  addEntry(entry: JsonPlace): RecordFate {
    const kind = entry.get('kind').text();
    if (kind === 'element') return ELEMENT;
    if (kind === 'request') return this.#addRequest(entry);
    if (kind === 'toolCall') return this.#addToolCall(entry);
    return `unknown entry ${firstLine(kind ?? '', 60)}`;
  }

  #addRequest(entry: JsonPlace): null {
    const metadata = entry.get('metadata');
    const usage = metadata.get('usage');
    const model = metadata.get('model').text();
    this.#writer.model ??= model;
    for (const tool of metadata.get('tools').items()) this.#addTool(tool);
    const message = entry.get('response').get('message');
    const texts = message.kind === 'array' ? message.items() : message.isThere ? [message] : [];
    const parts = texts.filter((place) => place.text() !== null);
    const step: Step = this.#writer.step(entry.origin(), momentAt(metadata.get('startTime')), {
      kind: 'model',
      name: entry.get('name').text() || 'Model call',
      model,
      callId: entry.get('id').text(),
      content: parts.map((place) => textPart(place)),
      summary: firstLine(parts.map((place) => place.text() ?? '').join('')),
    });
    const end = momentAt(metadata.get('endTime'));
    if (end !== null) this.#writer.endAt(step, end);
    const inputTokens = usage.get('prompt_tokens').count();
    const outputTokens = usage.get('completion_tokens').count();
    if (inputTokens !== null || outputTokens !== null) {
      const cacheReadTokens = usage.get('prompt_tokens_details').get('cached_tokens').count();
      const none = { cacheWriteTokens: null, inputExcludesCache: false };
      step.usage = { inputTokens, outputTokens, cacheReadTokens, ...none };
    }
    return null;
  }

  #addTool(tool: JsonPlace): void {
    const name = tool.get('function').get('name').text() ?? tool.get('name').text();
    if (name === null || this.#known.has(name)) return;
    this.#known.add(name);
    this.tools.push({ server: null, name, definition: tool.origin() });
  }

  #addToolCall(entry: JsonPlace): null {
    const { server, tool } = splitToolName(entry.get('tool').text() ?? '');
    const given = entry.get('args');
    const step = this.#writer.call(entry.origin(), {
      name: tool,
      server,
      tool,
      callId: entry.get('id').text(),
      arguments: given.isThere ? given.value() : notCaptured('logged'),
      summary: summaryOfArguments(given),
      at: momentAt(entry.get('time')),
    });
    const response = entry.get('response');
    if (!response.isThere) return null;
    const items = response.items();
    const only = items.length === 1 && items[0]?.kind === 'string' ? items[0] : response;
    const text = only.text() ?? items[0]?.text() ?? '';
    const isError = /^(?:Error calling tool|ERROR while calling tool|Error:)/.test(text);
    this.#writer.answer(step, null, {
      status: isError ? 'error' : 'ok',
      reason: isError ? firstLine(text, 200) : null,
      result: only.value(cutsInResult(only.view)),
      emptyResult: isEmptyAt(only),
      at: null,
      pairing: { by: 'id', derived: false },
    });
    return null;
  }
}

function timeOf(entry: JsonPlace): Moment | null {
  return momentAt(entry.get('metadata').get('startTime')) ?? momentAt(entry.get('time'));
}
