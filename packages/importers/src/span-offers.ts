import type { RecordedTool } from './importer.ts';
import type { JsonView } from './json-view.ts';
import { offeredTools } from './offered-tools.ts';
import { ownText } from './own-text.ts';
import { attribute, structuredAttribute, unflattened } from './span-attributes.ts';
import type { TraceSpan } from './trace-span.ts';

/** Lists of tools, by the conventions that have one of their own. */
const LISTS = [
  'gen_ai.tool.definitions',
  'ai.prompt.tools',
  'mlflow.chat.tools',
  'gen_ai.agent.tools',
];
const FLATTENED = ['llm.tools', 'llm.request.functions', 'gen_ai.request.functions'];
/** Whole requests, with the tools in them: attribute, then the way to the list. */
const REQUESTS: readonly (readonly [key: string, ...path: readonly string[]])[] = [
  ['llm.invocation_parameters', 'tools'],
  ['llm.invocation_parameters', 'functions'],
  ['model_request_parameters', 'function_tools'],
  ['gcp.vertex.agent.llm_request', 'config', 'tools'],
];
const INPUTS = ['input.value', 'traceloop.entity.input'];

/**
 * The tools that model and agent spans say they offered, each once. Every call of a model tells them
 * all again; a list that was read already is not read anew.
 */
export class SpanOffers {
  readonly #seen = new Set<string>();

  of(span: TraceSpan): RecordedTool[] {
    return listsOf(span).flatMap((list) => {
      const written = list.written;
      if (this.#seen.has(written)) return [];
      this.#seen.add(ownText(written));
      return offeredTools(list);
    });
  }
}

function listsOf({ attributes, record, stated }: TraceSpan): JsonView[] {
  const lists: JsonView[] = [...(stated?.tools ?? [])];
  for (const key of LISTS) {
    const list = attribute(attributes, key);
    if (list !== null) lists.push(list);
  }
  for (const prefix of FLATTENED) {
    const list = unflattened(attributes, prefix, record.origin);
    if (list !== null) lists.push(list);
  }
  for (const [key, ...path] of REQUESTS) {
    const list = structuredAttribute(attributes, key)?.at(...path);
    if (list !== undefined) lists.push(list);
  }
  if (lists.length > 0) return lists;
  const given = stated?.input ?? attribute(attributes, ...INPUTS);
  const request = given?.unwrapped();
  const list = request?.firstOf('tools', 'functions') ?? request?.at('config', 'tools');
  // A list of words may be anything; definitions are objects.
  return list?.isArray === true && list.items[0]?.text === null ? [list] : [];
}
