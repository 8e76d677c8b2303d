import { draftOfChat } from '../chat-draft.ts';
import { firstObjects, headValues, scoreOfMost } from '../head-values.ts';
import type {
  Importer,
  ImportInput,
  ImportResult,
  RunDraft,
  SourceGroup,
  SourceHead,
} from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import type { IssueList } from '../record-ledger.ts';
import { sourcesInOrder } from '../run-sources.ts';
import { statedUnlessZero, statedUsd } from '../stated-cost.ts';
import { unitOfPath } from '../unit-of-path.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { OpenHandsEvents } from './openhands/events.ts';
import { isSdkEvent, OpenHandsSdkEvents } from './openhands/sdk-events.ts';

/** Events of OpenHands: conversation exports, trajectories, evaluation output (V0), the SDK's events (V1). */
export const openHands: Importer = {
  id: 'openhands',
  title: 'OpenHands events',
  evidence: 'logged',
  revision: 7,
  sniff,
  group: groupOf,
  read,
};

const EVENT_FILE = /event-(\d+)-[^\\/]*\.json$/;

/** A conversation of the SDK is a folder with a file an event, which are called by their numbers. */
function groupOf(_head: SourceHead, path: string): SourceGroup | null {
  const [name = '', number] = EVENT_FILE.exec(path) ?? [];
  if (number === undefined) return null;
  const key = unitOfPath(path);
  return Number(number) === 0
    ? { key, role: 'main', part: null }
    : { key, role: 'companion', part: name };
}

/** Events of the SDK are one conversation, however they stand: a list, a page of them, one a file. */
async function read(input: ImportInput): Promise<ImportResult> {
  let events: OpenHandsSdkEvents | null = null;
  // The first event's file, and then the others by their numbers.
  const files = sourcesInOrder(input).map(({ reader }) => reader);
  const results: ImportResult[] = [];
  for (const main of files) {
    const isLast = results.length === files.length - 1;
    const result = await readValueSource(
      { ...input, main, companions: [] },
      (value, context) => {
        const items = value.isArray ? value.items : (value.get('items')?.items ?? [value]);
        if (!items.some(isSdkEvent)) return readValue(value, context);
        events ??= new OpenHandsSdkEvents(context);
        for (const item of items) events.add(item, context.ledger);
        return [];
      },
      (context) => (events === null || !isLast ? [] : draftOfSdk(events, context)),
    );
    results.push(result);
  }
  return {
    runs: results.flatMap(({ runs }) => runs),
    sources: results.flatMap(({ sources }) => sources),
    issues: results.flatMap(({ issues }) => issues),
  };
}

function draftOfSdk(events: OpenHandsSdkEvents, { sourceName }: ValueContext): RunDraft[] {
  return draftOfChat(events.run, {
    key: 'events',
    client: 'OpenHands',
    clock: events.clock,
    sourceName,
  });
}

function sniff(head: SourceHead): number {
  return scoreOfMost(headValues(head).flatMap(eventsOf), (event) => {
    if (isSdkEvent(event)) return 0.96;
    if (event.firstOf('action', 'observation')?.text === undefined) return 0;
    const own = ['source', 'cause', 'args', 'extras', 'timestamp', 'action_risk', 'images_urls'];
    return own.some((key) => event.get(key) !== undefined) ? 0.95 : 0;
  });
}

/** The events at the head: in lists, in histories, in pairs of action and observation, or alone. */
function eventsOf(value: JsonView): JsonView[] {
  const list = value.get('items') ?? value.get('history') ?? value;
  if (!list.isArray) return [value];
  return list.items.slice(0, MOST_SNIFFED).flatMap((item) => {
    if (item.isArray) return firstObjects(item);
    const history = firstObjects(item.get('history'));
    return history.length > 0 ? history : item.isObject ? [item] : [];
  });
}

const MOST_SNIFFED = 60;

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, clock, sourceName } = context;
  const history = value.isArray ? value : value.get('history');
  if (history?.isArray !== true) {
    ledger.notUnderstood(value.origin, 'no history of events');
    return [];
  }
  const events = new OpenHandsEvents(context);
  // Very old histories are lists of [action, observation].
  for (const item of history.items) {
    for (const event of item.isArray ? item.items : [item]) events.add(event);
  }
  const instance = value.get('instance_id')?.text ?? null;
  return draftOfChat(events.run, {
    key: context.keys.unique(instance ?? '0'),
    client: 'OpenHands',
    title: instance,
    naturalId: instance,
    clock: clock.clock,
    sourceName,
    recordedCostUsd: costOf(value, history, context.issues),
  });
}

/** Of the instance; else what the last event that says so had summed up. Unknown models cost 0 there. */
function costOf(value: JsonView, history: JsonView, issues: IssueList): string | null {
  const places = [
    value.at('metrics', 'accumulated_cost'),
    ...history.items.map((event) => event.at('llm_metrics', 'accumulated_cost')).reverse(),
  ];
  return statedUnlessZero(
    places.find((place) => statedUsd(place) !== null),
    issues,
  );
}
