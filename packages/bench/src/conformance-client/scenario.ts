import { type JsonDocument, type JsonNode, member, nodeText, parseJson } from '@misstep/json';
import type { ListedTool, ServerRequest, ServerRequestAnswer } from '@misstep/mcp';

export interface Call {
  readonly tool: string;
  readonly argumentsText: string;
}

/** What a scenario gives to the client beside its URL. */
export interface ScenarioContext {
  readonly clientId: string | null;
  readonly calls: readonly Call[];
}

export function readContext(text: string | undefined): ScenarioContext {
  const parsed = parseJson(text ?? '{}');
  if (!parsed.ok) return { clientId: null, calls: [] };
  const document = parsed.value;
  const calls = member(document, document.root, 'toolCalls');
  return {
    clientId: textAt(document, document.root, 'client_id'),
    calls:
      calls?.kind !== 'array'
        ? []
        : calls.items.map((item) => ({
            tool: textAt(document, item, 'name') ?? '',
            argumentsText: jsonAt(document, item, 'arguments') ?? '{}',
          })),
  };
}

/** What a person would call here: what the scenario asks for, else each tool that is listed. */
export function planCalls(
  scenario: string,
  context: ScenarioContext,
  tools: readonly ListedTool[],
): readonly Call[] {
  if (context.calls.length > 0) return context.calls;
  const named = (tool: string, argumentsText: string) => [{ tool, argumentsText }];
  switch (scenario) {
    case 'tools_call':
      return named('add_numbers', '{"a":5,"b":3}');
    case 'http-invalid-tool-headers':
      return tools.map(({ name }) => ({ tool: name, argumentsText: '{"region":"us-west1"}' }));
    case 'json-schema-2020-12-preservation':
      return named('json_schema_echo', `{"schema":${firstSchema(tools)}}`);
    default:
      return tools.map(({ name }) => ({ tool: name, argumentsText: '{}' }));
  }
}

function firstSchema([tool]: readonly ListedTool[]): string {
  const parsed = parseJson(tool?.definitionText ?? '{}');
  if (!parsed.ok) return '{}';
  return jsonAt(parsed.value, parsed.value.root, 'inputSchema') ?? '{}';
}

/** A person who takes each form as it is shown: its defaults, yes to a question without one. */
export async function acceptAsShown(request: ServerRequest): Promise<ServerRequestAnswer> {
  if (request.method === 'roots/list') return { kind: 'result', text: '{"roots":[]}' };
  if (request.method !== 'elicitation/create') {
    return { kind: 'error', text: '{"code":-1,"message":"declined"}' };
  }
  const content = formContent(request.paramsText ?? '{}');
  return { kind: 'result', text: `{"action":"accept","content":{${content.join(',')}}}` };
}

function formContent(paramsText: string): string[] {
  const parsed = parseJson(paramsText);
  if (!parsed.ok) return [];
  const document = parsed.value;
  const schema = member(document, document.root, 'requestedSchema');
  const properties = member(document, schema, 'properties');
  if (properties?.kind !== 'object') return [];
  return properties.members.flatMap(({ key, value }) => {
    const isQuestion = textAt(document, value, 'type') === 'boolean';
    const text = jsonAt(document, value, 'default') ?? (isQuestion ? 'true' : null);
    return text === null ? [] : [`${nodeText(document, key)}:${text}`];
  });
}

function jsonAt(document: JsonDocument, parent: JsonNode, key: string): string | null {
  const node = member(document, parent, key);
  return node === undefined ? null : nodeText(document, node);
}

function textAt(document: JsonDocument, parent: JsonNode, key: string): string | null {
  const text = jsonAt(document, parent, key);
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? value : null;
}
