import {
  encodeString,
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import type { ServerAsk } from '@misstep/model';
import { type FormFields, readFormFields } from './form-fields.ts';

const MOST_MESSAGES = 50;
const LONGEST_TEXT = 8000;

/** Text of the server as far as it is shown, and how many characters of it are not. */
export interface ShownText {
  readonly text: string;
  readonly omitted: number;
}

export interface SampleMessage extends ShownText {
  readonly role: string;
}

/** What a server asks, as a panel can show it. Everything in it is text of the server's. */
export type AskContent =
  | { readonly kind: 'form'; readonly message: ShownText; readonly form: FormFields }
  /** `href` is null where the address is no http or https URL: then nothing offers to open it. */
  | {
      readonly kind: 'url';
      readonly message: ShownText;
      readonly url: string;
      readonly href: string | null;
      readonly host: string | null;
    }
  | {
      readonly kind: 'sample';
      readonly messages: readonly SampleMessage[];
      readonly messagesOmitted: number;
      readonly system: ShownText | null;
    }
  | { readonly kind: 'roots' }
  | { readonly kind: 'other'; readonly params: ShownText | null };

/** Never throws; what can't be read, or was cut, is shown as it is and answered in raw JSON. */
export function readAsk(ask: ServerAsk): AskContent {
  if (ask.method === 'roots/list') return { kind: 'roots' };
  const whole = ask.paramsOmittedBytes === 0 ? ask.paramsText : null;
  const parsed = whole === null ? null : parseJson(whole);
  if (parsed?.ok) {
    const document = parsed.value;
    if (ask.method === 'elicitation/create') return readElicitation(document);
    if (ask.method === 'sampling/createMessage') return readSample(document);
  }
  return { kind: 'other', params: ask.paramsText === null ? null : shown(ask.paramsText) };
}

function readElicitation(document: JsonDocument): AskContent {
  const text = (key: string) => textAt(document, document.root, key);
  const message = shown(text('message') ?? '');
  const url = text('url');
  if (text('mode') === 'url' && url !== null) return { kind: 'url', message, url, ...linkOf(url) };
  const schema = member(document, document.root, 'requestedSchema');
  return { kind: 'form', message, form: readFormFields(document, schema) };
}

function linkOf(url: string): { href: string | null; host: string | null } {
  if (!URL.canParse(url)) return { href: null, host: null };
  const { protocol, host, href } = new URL(url);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return { href: isWeb ? href : null, host: host === '' ? null : host };
}

function readSample(document: JsonDocument): AskContent {
  const list = member(document, document.root, 'messages');
  const items = list?.kind === 'array' ? list.items : [];
  const system = textAt(document, document.root, 'systemPrompt');
  return {
    kind: 'sample',
    messages: items.slice(0, MOST_MESSAGES).map((item) => ({
      role: (textAt(document, item, 'role') ?? 'no role').slice(0, 40),
      ...shown(contentWords(document, member(document, item, 'content'))),
    })),
    messagesOmitted: Math.max(0, items.length - MOST_MESSAGES),
    system: system === null ? null : shown(system),
  };
}

/** A text block's text; of anything else what it is, for nothing of it is loaded or drawn. */
function contentWords(document: JsonDocument, content: JsonNode | undefined): string {
  if (content === undefined) return '(no content)';
  if (content.kind === 'array') {
    return content.items
      .slice(0, MOST_MESSAGES)
      .map((item) => blockWords(document, item))
      .join('\n');
  }
  return blockWords(document, content);
}

function blockWords(document: JsonDocument, block: JsonNode): string {
  const type = textAt(document, block, 'type');
  if (type === 'text') return textAt(document, block, 'text') ?? '';
  const data = textAt(document, block, 'data');
  if (data === null) return nodeText(document, block);
  const mimeType = textAt(document, block, 'mimeType') ?? 'no MIME type';
  return `(${type ?? 'data'}, ${mimeType}, ${data.length} characters of base64, not shown)`;
}

function textAt(document: JsonDocument, node: JsonNode, key: string): string | null {
  const value = member(document, node, key);
  return value?.kind === 'string' ? stringValue(document, value) : null;
}

function shown(text: string): ShownText {
  return { text: text.slice(0, LONGEST_TEXT), omitted: Math.max(0, text.length - LONGEST_TEXT) };
}

/** A person's words as the result of sampling/createMessage (MCP, client features, sampling). */
export function sampleText(words: string): string {
  return `{"role":"assistant","content":{"type":"text","text":${encodeString(words)}},"model":"a person","stopReason":"endTurn"}`;
}

/** Folders, one a line, as the result of roots/list. Nothing is looked up: they are words. */
export function rootsText(lines: string): string {
  const roots = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `{"uri":${encodeString(folderUri(line))}}`);
  return `{"roots":[${roots.join(',')}]}`;
}

function folderUri(line: string): string {
  if (/^file:/i.test(line)) return line;
  const path = line.replaceAll('\\', '/');
  return `file://${path.startsWith('/') ? '' : '/'}${path.split('/').map(encodeURIComponent).join('/').replace(/%3A/, ':')}`;
}
