import type { JsonView } from './json-view.ts';

/**
 * What a tool gave, where LangChain wrapped it in the message that the model gets: the content of a
 * `ToolMessage`, in the two ways in which it is written, also under `output`. Anything else as it stands.
 */
export function answerOfTool(place: JsonView): JsonView {
  const inner = place.inner() ?? place;
  const given = inner.entries.size === 1 ? (inner.get('output') ?? inner) : inner;
  const isConstructor = given.get('id')?.items.at(-1)?.text === 'ToolMessage';
  const message = isConstructor ? given.get('kwargs') : given;
  const isPlain = given.get('type')?.text === 'tool' && given.get('tool_call_id') !== undefined;
  return (isConstructor || isPlain ? message?.get('content') : undefined) ?? place;
}
