import { type JsonDocument, type JsonNode, member, nodeText, stringValue } from '@misstep/json';
import type { SecretKind, TargetAddress } from '@misstep/model';

/** A value under a name; null where the file holds none that can be passed on. */
export interface NamedValue {
  readonly name: string;
  readonly text: string | null;
}

/** One entry, read: what it means to start or call, with its placeholders as they stand. */
export interface ReadServer {
  /** Null = it can't be used; `issues` says why. */
  readonly address: TargetAddress | null;
  readonly kind: SecretKind;
  readonly values: readonly NamedValue[];
  readonly disabled: boolean;
  readonly issues: readonly string[];
}

const READ_KEYS = new Set([
  'command',
  'args',
  'env',
  'environment',
  'env_vars',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'type',
  'transport',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'requestInit',
  'disabled',
  'enabled',
]);

/** Reads one entry in the forms that clients use. Nothing in it is taken on trust. */
export function readServer(document: JsonDocument, node: JsonNode): ReadServer {
  return new ServerReader(document, node).read();
}

class ServerReader {
  readonly #document: JsonDocument;
  readonly #node: JsonNode;
  readonly #issues: string[] = [];

  constructor(document: JsonDocument, node: JsonNode) {
    this.#document = document;
    this.#node = node;
  }

  read(): ReadServer {
    const node = this.#node;
    if (node.kind !== 'object') {
      return {
        address: null,
        kind: 'header',
        values: [],
        disabled: false,
        issues: ['It is no object.'],
      };
    }
    const address = this.#address();
    const isCommand = this.#member('command') !== undefined;
    const values = isCommand ? this.#environment() : this.#headers();
    this.#checkOtherKind(isCommand);
    const unread = [
      ...new Set(node.members.map(({ key }) => stringValue(this.#document, key))),
    ].filter((key) => !READ_KEYS.has(key));
    if (unread.length > 0) this.#issues.push(`Not used: ${unread.slice(0, 30).join(', ')}.`);
    return {
      address,
      kind: isCommand ? 'environment' : 'header',
      values,
      disabled: this.#isTrue('disabled') || this.#isFalse('enabled'),
      issues: this.#issues,
    };
  }

  #checkOtherKind(isCommand: boolean): void {
    const others = isCommand
      ? ['headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var', 'url']
      : ['env', 'environment', 'env_vars', 'cwd', 'args'];
    const stray = others.filter((key) => this.#member(key) !== undefined);
    if (stray.length === 0) return;
    this.#issues.push(`Not used with a ${isCommand ? 'command' : 'URL'}: ${stray.join(', ')}.`);
  }

  #address(): TargetAddress | null {
    const type = (this.#text('type') ?? this.#text('transport') ?? '').toLowerCase();
    const command = this.#member('command');
    if (command !== undefined) return this.#command(command);
    const streamable = this.#text('httpUrl');
    const url = streamable ?? this.#text('serverUrl') ?? this.#text('url');
    if (url === null) {
      this.#issues.push('It has neither a command nor a URL.');
      return null;
    }
    if (type === 'ws' || type === 'websocket' || /^wss?:/i.test(url)) {
      this.#issues.push('WebSocket is no transport of MCP that Misstep speaks.');
      return null;
    }
    if (type === 'sse' && streamable === null) return { transport: 'sse', url };
    if (type === '' && /\/sse\/?(\?|$)/.test(url)) {
      this.#issues.push(
        'It names no transport and its URL ends in /sse: if that is HTTP+SSE of 2024-11-05, change the transport.',
      );
    }
    return { transport: 'streamable-http', url };
  }

  /** A text with `args`, a list with everything, or an object with `path` and `args`. */
  #command(node: JsonNode): TargetAddress | null {
    const inner = node.kind === 'object' ? node : this.#node;
    const first = node.kind === 'object' ? member(this.#document, node, 'path') : node;
    const words = first?.kind === 'array' ? this.#words(first) : this.#words(first, 'command');
    const args = this.#words(member(this.#document, inner, 'args'));
    const [command, ...rest] = [...(words ?? []), ...(args ?? [])];
    if (words === null || args === null || command === undefined || command === '') {
      this.#issues.push('Its command or arguments are not all text.');
      return null;
    }
    return { transport: 'stdio', command, args: rest, cwd: this.#text('cwd') };
  }

  /** Null where one is no text. */
  #words(node: JsonNode | undefined, single?: 'command'): string[] | null {
    if (node === undefined) return single === undefined ? [] : null;
    if (node.kind === 'string') return [stringValue(this.#document, node)];
    if (node.kind !== 'array' || single !== undefined) return null;
    const words: string[] = [];
    for (const item of node.items) {
      const text = this.#scalar(item);
      if (text === null) return null;
      words.push(text);
    }
    return words;
  }

  #environment(): NamedValue[] {
    const command = this.#member('command');
    const passedOn = this.#member('env_vars');
    const names = passedOn?.kind === 'array' ? this.#words(passedOn) : [];
    return lastOfEach([
      ...this.#named(
        command?.kind === 'object' ? member(this.#document, command, 'env') : undefined,
      ),
      ...this.#named(this.#member('environment')),
      ...this.#named(this.#member('env')),
      ...(names ?? []).map((name) => ({ name, text: placeholder(name) })),
    ]);
  }

  #headers(): NamedValue[] {
    const bearer = this.#text('bearer_token_env_var');
    return lastOfEach([
      ...this.#named(member(this.#document, this.#member('requestInit'), 'headers')),
      ...this.#named(this.#member('http_headers')),
      ...this.#named(this.#member('headers')),
      ...this.#named(this.#member('env_http_headers')).map(({ name, text }) => ({
        name,
        text: text === null ? null : placeholder(text),
      })),
      ...(bearer === null
        ? []
        : [{ name: 'Authorization', text: `Bearer ${placeholder(bearer)}` }]),
    ]);
  }

  #named(node: JsonNode | undefined): NamedValue[] {
    if (node === undefined) return [];
    if (node.kind !== 'object') {
      this.#issues.push('Its environment or headers are no object, so they are not used.');
      return [];
    }
    return node.members.map(({ key, value }) => ({
      name: stringValue(this.#document, key),
      text: this.#scalar(value),
    }));
  }

  /** Text, or a number or boolean as it is written. */
  #scalar(node: JsonNode): string | null {
    if (node.kind === 'string') return stringValue(this.#document, node);
    if (node.kind === 'number') return nodeText(this.#document, node);
    return node.kind === 'literal' && node.value !== null ? nodeText(this.#document, node) : null;
  }

  #member(key: string): JsonNode | undefined {
    return member(this.#document, this.#node, key);
  }

  #text(key: string): string | null {
    const node = this.#member(key);
    return node?.kind === 'string' ? stringValue(this.#document, node) : null;
  }

  #isTrue(key: string): boolean {
    const node = this.#member(key);
    return node?.kind === 'literal' && node.value === true;
  }

  #isFalse(key: string): boolean {
    const node = this.#member(key);
    return node?.kind === 'literal' && node.value === false;
  }
}

function placeholder(environmentName: string): string {
  return `\${env:${environmentName}}`;
}

/** A name that stands twice means its last value, as for the clients. */
function lastOfEach(values: readonly NamedValue[]): NamedValue[] {
  return [...new Map(values.map((each) => [each.name, each])).values()];
}
