import { equalNodes } from '@misstep/json';
import type { ChatCall } from './chat-parts.ts';
import type { JsonView } from './json-view.ts';

/**
 * The calls of one message from every place that tells them (content blocks, `tool_calls`, what the
 * provider's client left in `additional_kwargs`): each once. Within one place no two are the same.
 * A call keeps the id that the later place gives, which results answer to, and its other ids beside;
 * and its arguments where they are the model's own text.
 */
export function callsOnce(tellings: readonly (readonly ChatCall[])[]): ChatCall[] {
  const calls: ChatCall[] = [];
  for (const telling of tellings) {
    const open = new Set(calls.keys());
    const rest = joinBy(calls, telling, open, haveSameId);
    const others = joinBy(calls, rest, open, haveSameArguments);
    for (const call of joinBy(calls, others, open, lacksId)) calls.push(call);
  }
  return calls;
}

/** Joins calls to those of other places that they are; what is left comes back. */
function joinBy(
  calls: ChatCall[],
  telling: readonly ChatCall[],
  open: Set<number>,
  isSame: (known: ChatCall, told: ChatCall) => boolean,
): ChatCall[] {
  return telling.filter((told) => {
    for (const at of open) {
      const known = calls[at];
      if (known === undefined || !isSame(known, told)) continue;
      calls[at] = join(known, told);
      open.delete(at);
      return false;
    }
    return true;
  });
}

const haveSameId = (known: ChatCall, told: ChatCall): boolean =>
  told.id !== null && (known.id === told.id || known.otherIds?.includes(told.id) === true);

function haveSameArguments(known: ChatCall, told: ChatCall): boolean {
  if (known.name !== told.name) return false;
  const [a, b] = [given(known), given(told)];
  if (a === undefined || b === undefined) return a === b;
  if (a.text !== null || b.text !== null) return a.text === b.text;
  return equalNodes(a.document.text, a.node, b.document.text, b.node) !== 'different';
}

/** The legacy `function_call` has no id: it is the message's call of that name. */
const lacksId = (known: ChatCall, told: ChatCall): boolean =>
  (known.id === null || told.id === null) && known.name === told.name;

function given({ arguments: place }: ChatCall): JsonView | undefined {
  return place?.inner() ?? place;
}

function join(known: ChatCall, told: ChatCall): ChatCall {
  const id = told.id ?? known.id;
  const ids = [known.id, ...(known.otherIds ?? [])];
  const otherIds = ids.flatMap((each) => (each === null || each === id ? [] : [each]));
  const problem = known.problem ?? told.problem;
  return {
    ...known,
    id,
    name: known.name || told.name,
    arguments: fuller(known.arguments, told.arguments),
    ...(otherIds.length > 0 ? { otherIds } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Text before what a client read of it, unless it is a streamed piece; and anything before nothing. */
function fuller(a: JsonView | undefined, b: JsonView | undefined): JsonView | undefined {
  if (a === undefined || isBare(a)) return b === undefined || isBare(b) ? (a ?? b) : b;
  if (b === undefined || isBare(b)) return a;
  if (isPiece(a) || isPiece(b)) return isPiece(a) && !isPiece(b) ? b : a;
  return a.text === null && b.text !== null ? b : a;
}

const isPiece = (place: JsonView): boolean => place.text !== null && place.inner() === null;

function isBare(place: JsonView): boolean {
  const { node, text } = place.inner() ?? place;
  if (node.kind === 'object') return node.members.length === 0;
  return text === '' || (node.kind === 'literal' && node.value === null);
}
