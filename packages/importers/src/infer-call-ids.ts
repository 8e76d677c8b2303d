import { parseJson, printJson } from '@misstep/json';
import type { ChatCall } from './chat-parts.ts';
import type { JsonView } from './json-view.ts';
import { addTo } from './multi-map.ts';
import { meaningOf, type SpanStep, wholeOf } from './span-meaning.ts';
import { splitToolName } from './tool-name.ts';

/**
 * Which span, of those without an id that follow a model call, is the tool call that the model asked
 * for: where one call and one span alone have the name, or the name and the arguments. Anything less
 * is not inferred.
 */
export async function inferSpans(
  calls: readonly ChatCall[],
  following: readonly SpanStep[],
): Promise<ReadonlyMap<ChatCall, SpanStep>> {
  const found = new Map<ChatCall, SpanStep>();
  const wanted = new Map<string, ChatCall[]>();
  for (const call of calls)
    if (call.id !== null) addTo(wanted, splitToolName(call.name).tool, call);
  const traced = new Map<string, SpanStep[]>();
  for (const each of following) {
    if (each.step.tool !== null && wanted.has(each.step.tool)) addTo(traced, each.step.tool, each);
  }
  for (const [name, asked] of wanted) {
    const spans = traced.get(name) ?? [];
    const [call, span] = [asked[0], spans[0]];
    if (call === undefined || span === undefined) continue;
    if (asked.length === 1 && spans.length === 1) {
      const [told, given] = [plain(call.arguments), plain(await argumentsOf(span))];
      // Arguments that can be compared must not be others.
      if (isServer(call, span) && (told === null || given === null || told === given)) {
        found.set(call, span);
      }
    } else await byArguments(asked, spans, found);
  }
  return found;
}

async function byArguments(
  asked: readonly ChatCall[],
  spans: readonly SpanStep[],
  found: Map<ChatCall, SpanStep>,
): Promise<void> {
  const callsBy = new Map<string, ChatCall[]>();
  for (const call of asked) {
    const written = plain(call.arguments);
    if (written !== null) addTo(callsBy, written, call);
  }
  const spansBy = new Map<string, SpanStep[]>();
  for (const span of spans) {
    const written = plain(await argumentsOf(span));
    if (written !== null) addTo(spansBy, written, span);
  }
  for (const [written, calls] of callsBy) {
    const same = spansBy.get(written) ?? [];
    const [call, span] = [calls[0], same[0]];
    if (call === undefined || span === undefined || calls.length + same.length > 2) continue;
    if (isServer(call, span)) found.set(call, span);
  }
}

function isServer({ name }: ChatCall, { step }: SpanStep): boolean {
  const { server } = splitToolName(name);
  return server === null || step.server === null || server === step.server;
}

async function argumentsOf({ span }: SpanStep): Promise<JsonView | null> {
  return meaningOf(await wholeOf(span)).argumentsPlace;
}

/** JSON without its white space; null where it is none. */
function plain(place: JsonView | null | undefined): string | null {
  if (place === null || place === undefined) return null;
  const parsed = parseJson(place.text ?? place.written);
  return parsed.ok ? printJson(parsed.value, { indent: 0 }) : null;
}
