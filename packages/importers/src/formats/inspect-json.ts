import { draftOfChat } from '../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../chat-message.ts';
import { ChatRun } from '../chat-run.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { EMPTY_DOCUMENT } from '../record-ledger.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';
import { InspectEvents } from './inspect-json/events.ts';

/** Evaluation logs of Inspect in JSON: each sample is a run. */
export const inspectJson: Importer = {
  id: 'inspect-json',
  title: 'Inspect evaluation log',
  evidence: 'logged',
  revision: 7,
  sniff,
  read,
};

/** In a `.eval` file each sample is a file of its own, and what they share comes along as a companion. */
async function read(input: ImportInput): Promise<ImportResult> {
  const companions = await Promise.all(
    input.companions.map(({ reader }) => readShared({ ...input, main: reader, companions: [] })),
  );
  const log = companions.flatMap(({ value }) => value ?? [])[0];
  const result = await readValueSource(input, (value, context) =>
    readValue(value, log ?? value, context),
  );
  return {
    runs: result.runs,
    sources: [...result.sources, ...companions.flatMap(({ result: { sources } }) => sources)],
    issues: [...result.issues, ...companions.flatMap(({ result: { issues } }) => issues)],
  };
}

async function readShared(
  input: ImportInput,
): Promise<{ value: JsonView | null; result: ImportResult }> {
  let shared: JsonView | null = null;
  const result = await readValueSource(input, (value, { ledger }) => {
    if (value.get('eval') === undefined) ledger.notUnderstood(value.origin, 'no evaluation');
    else ledger.understood();
    shared ??= value;
    return [];
  });
  return { value: shared, result };
}

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    const spec = object.get('eval');
    if (spec?.get('task') !== undefined && spec.get('run_id') !== undefined) return 0.97;
    const events = firstObjects(object.get('events'));
    const told = scoreOfMost(events, (event) => (event.get('event') !== undefined ? 0.9 : 0));
    if (told > 0) return told;
    return object.get('epoch') !== undefined && object.get('messages') !== undefined ? 0.97 : 0;
  });
}

function readValue(value: JsonView, log: JsonView, context: ValueContext): RunDraft[] {
  const samples = value.get('samples');
  if (samples?.isArray === true) {
    return samples.items.flatMap((sample) => readSample(sample, log, context));
  }
  return readSample(value, log, context);
}

function readSample(sample: JsonView, log: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, issues, clock, sourceName } = context;
  const transcript = sample.get('transcript');
  const events = sample.get('events') ?? transcript?.get('events');
  const messages = sample.get('messages');
  const run = new ChatRun(issues);
  if (events !== undefined && events.items.length > 0) {
    const reader = new InspectEvents(run, sample, context);
    for (const event of events.items) reader.add(event);
    reader.finish();
  } else if (messages?.isArray === true) {
    for (const place of messages.items) {
      const message = readChatMessage(place);
      ledger.take(place.origin, fateOfMessage(message));
      if (message !== null) run.add(message);
    }
  } else if (events?.isArray === true) {
    ledger.setAside(sample.origin, EMPTY_DOCUMENT);
    return [];
  } else {
    ledger.notUnderstood(sample.origin, 'a sample without events and messages');
    return [];
  }
  const id = sample.get('id')?.text ?? sample.get('id')?.written ?? '0';
  const epoch = sample.get('epoch')?.written ?? '1';
  const task = log.at('eval', 'task')?.text ?? 'sample';
  return draftOfChat(run, {
    key: context.keys.unique(`${id}/${epoch}`),
    client: 'Inspect',
    title: `${task}: sample ${id}, epoch ${epoch}`,
    model: log.at('eval', 'model')?.text ?? null,
    naturalId: sample.get('uuid')?.text ?? null,
    clock: clock.clock,
    sourceName,
  });
}
