import {
  encodeString,
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import { Session } from './session.ts';
import type { Tool, ToolAnswer, ToolCall } from './tool.ts';
import { TOOLS } from './tools/index.ts';

const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const working = new Map<string, number>();

/**
 * One MCP connection (revisions 2024-11-05 to 2025-11-25), apart from its transport. Written by
 * hand because results must hold numbers and duplicate keys that no JavaScript object can: every
 * message is text in and text out.
 */
export class Connection {
  readonly #send: (text: string) => void;
  readonly #session: Session;
  readonly #running = new Map<string, AbortController>();

  constructor(send: (text: string) => void, session: Session = new Session()) {
    this.#send = send;
    this.#session = session;
  }

  /** Takes one message; resolves when everything that it causes has been sent. */
  async receive(text: string): Promise<void> {
    const parsed = parseJson(text);
    if (!parsed.ok) return this.#fail('null', -32700, `Parse error: ${parsed.error.message}`);
    const message = parsed.value;
    const method = textOf(message, member(message, message.root, 'method'));
    const idNode = member(message, message.root, 'id');
    if (method === undefined) {
      if (idNode === undefined) this.#fail('null', -32600, 'Invalid request: no method');
      else this.#session.answered(textOf(message, idNode) ?? '', message);
      return;
    }
    if (idNode === undefined) return this.#notified(message, method);
    await this.#answer(message, method, nodeText(message, idNode));
  }

  /** The other side is gone: work in progress stops. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #notified(message: JsonDocument, method: string): void {
    if (method !== 'notifications/cancelled') return;
    const params = member(message, message.root, 'params');
    const id = params === undefined ? undefined : member(message, params, 'requestId');
    if (id !== undefined) this.#running.get(nodeText(message, id))?.abort();
  }

  async #answer(message: JsonDocument, method: string, id: string): Promise<void> {
    const params = member(message, message.root, 'params');
    switch (method) {
      case 'initialize':
        return this.#result(id, this.#initialize(message, params));
      case 'ping':
        return this.#result(id, '{}');
      case 'tools/list':
        return this.#result(id, JSON.stringify({ tools: TOOLS.map((tool) => tool.definition) }));
      case 'tools/call':
        return this.#call(message, params, id);
      default:
        return this.#fail(id, -32601, `Method not found: ${method}`);
    }
  }

  #initialize(message: JsonDocument, params: JsonNode | undefined): string {
    const capabilities = member(message, params, 'capabilities');
    this.#session.canElicit = member(message, capabilities, 'elicitation') !== undefined;
    const asked =
      params === undefined
        ? undefined
        : textOf(message, member(message, params, 'protocolVersion'));
    return JSON.stringify({
      protocolVersion: REVISIONS.find((revision) => revision === asked) ?? REVISIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'fennel-street-seeds', version: '1.4.0' },
    });
  }

  async #call(message: JsonDocument, params: JsonNode | undefined, id: string): Promise<void> {
    const name =
      params === undefined ? undefined : textOf(message, member(message, params, 'name'));
    const tool = TOOLS.find((candidate) => candidate.definition.name === name);
    if (params === undefined || tool === undefined) {
      return this.#fail(id, -32602, `Unknown tool: ${name ?? '(no name)'}`);
    }
    const argumentsNode = member(message, params, 'arguments');
    const argumentsText = argumentsNode === undefined ? '{}' : nodeText(message, argumentsNode);
    const argumentsRead = parseJson(argumentsText);
    if (!argumentsRead.ok || argumentsRead.value.root.kind !== 'object') {
      return this.#fail(id, -32602, 'Invalid params: arguments must be an object');
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const answer = await this.#work(
        tool,
        message,
        params,
        argumentsRead.value,
        controller.signal,
      );
      if (!controller.signal.aborted) this.#result(id, printAnswer(answer));
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(id, -32603, String(error));
    } finally {
      this.#running.delete(id);
    }
  }

  async #work(
    tool: Tool,
    message: JsonDocument,
    params: JsonNode,
    argumentsDocument: JsonDocument,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const name = tool.definition.name;
    const meta = member(message, params, '_meta');
    const token = meta === undefined ? undefined : member(message, meta, 'progressToken');
    const atOnce = (working.get(name) ?? 0) + 1;
    working.set(name, atOnce);
    try {
      return await tool.call({
        arguments: argumentsDocument,
        atOnce,
        signal,
        ...(this.#session.canElicit ? { elicit: this.#elicitor(signal) } : {}),
        progress: (done, total) => {
          if (token === undefined) return;
          this.#send(
            `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${nodeText(message, token)},"progress":${done},"total":${total}}}`,
          );
        },
      });
    } finally {
      working.set(name, (working.get(name) ?? 1) - 1);
    }
  }

  #elicitor(signal: AbortSignal): NonNullable<ToolCall['elicit']> {
    return async (message, requestedSchema) => {
      const params = JSON.stringify({ message, requestedSchema });
      const answer = await this.#session.ask(this.#send, 'elicitation/create', params, signal);
      if (answer === null) return null;
      const result = member(answer, answer.root, 'result');
      const content = member(answer, result, 'content');
      const read = content === undefined ? null : parseJson(nodeText(answer, content));
      return {
        action: textOf(answer, member(answer, result, 'action')) ?? '',
        content: read?.ok ? read.value : null,
      };
    };
  }

  #result(id: string, result: string): void {
    this.#send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  }

  #fail(id: string, code: number, message: string): void {
    this.#send(
      `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${encodeString(message)}}}`,
    );
  }
}

function textOf(document: JsonDocument, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? stringValue(document, node) : undefined;
}

function printAnswer(answer: ToolAnswer): string {
  const structured =
    answer.structured === undefined ? '' : `,"structuredContent":${answer.structured}`;
  const content = `[{"type":"text","text":${encodeString(answer.text)}}]`;
  return `{"content":${content}${structured},"isError":${answer.isError ?? false}}`;
}
