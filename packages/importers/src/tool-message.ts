import type { JsonView } from './json-view.ts';

/** The message that LangChain wraps what a tool gave in, in the two ways in which it is written. */
function toolMessageIn(place: JsonView): JsonView | undefined {
  const inner = place.inner() ?? place;
  const given = inner.entries.size === 1 ? (inner.get('output') ?? inner) : inner;
  const isConstructor = given.get('id')?.items.at(-1)?.text === 'ToolMessage';
  if (isConstructor) return given.get('kwargs');
  const isPlain = given.get('type')?.text === 'tool' && given.get('tool_call_id') !== undefined;
  return isPlain ? given : undefined;
}

/** The call that LangChain hands to a tool, where it hands all of it. */
function toolCallIn(place: JsonView): JsonView | undefined {
  const inner = place.inner() ?? place;
  const given = inner.entries.size === 1 ? (inner.get('input') ?? inner) : inner;
  const call = given.inner() ?? given;
  return call.get('type')?.text === 'tool_call' && call.get('args') !== undefined
    ? call
    : undefined;
}

/** What a tool gave: the content of the message that it is wrapped in, anything else as it stands. */
export function answerOfTool(place: JsonView): JsonView {
  return toolMessageIn(place)?.get('content') ?? place;
}

/** What a tool was given: the arguments of the call that it was handed, anything else as it stands. */
export function argumentsOfTool(place: JsonView): JsonView {
  const given = toolCallIn(place)?.get('args') ?? place;
  // Written as JSON in JSON: what the outer text holds is what the tool was given.
  const inner = given.inner();
  return inner?.inner() === null || inner === null ? given : inner;
}

/** The id of the call, where what the tool was given, or gave, holds it. */
export function callIdOfTool(given: JsonView | null, answer: JsonView | null): string | null {
  const message = answer === null ? undefined : toolMessageIn(answer);
  const call = given === null ? undefined : toolCallIn(given);
  const inner = given?.inner() ?? given;
  return (
    message?.get('tool_call_id')?.text ||
    call?.get('id')?.text ||
    // Handed to tools that ask for it, among their arguments.
    inner?.get('tool_call_id')?.text ||
    null
  );
}
