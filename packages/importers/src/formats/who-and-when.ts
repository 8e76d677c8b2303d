import { type ExternalMark, notCaptured, type Step } from '@misstep/model';
import { draftOfChat } from '../chat-draft.ts';
import { readContent } from '../chat-message.ts';
import { ChatRun, partOf } from '../chat-run.ts';
import { headObjects, headValues, scoreOfMost } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { firstLine, oneLine } from '../one-line.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** Failure logs of the Who&When data set, with their label; bare logs of Magentic-One. */
export const whoAndWhen: Importer = {
  id: 'who-and-when',
  title: 'Who&When or Magentic-One log',
  evidence: 'logged',
  revision: 8,
  sniff,
  read: (input) => readValueSource(input, readValue),
};

function sniff(head: SourceHead): number {
  const [whole] = headValues(head);
  if (whole?.isArray === true && isOrchestrated(whole.items)) return 0.93;
  return scoreOfMost(headObjects(head), (object) => {
    const history = object.get('history');
    if (history === undefined) return object.get('mistake_step') !== undefined ? 0.6 : 0;
    if (object.firstOf('mistake_step', 'mistake_agent', 'question_ID') !== undefined) return 0.98;
    // The label stands behind the history, which may be longer than the head.
    return isOrchestrated(history.items) && !head.whole ? 0.85 : 0;
  });
}

/** `Orchestrator (thought)`, `Orchestrator (-> WebSurfer)`: speakers stand in the place of roles. */
function isOrchestrated(entries: readonly JsonView[]): boolean {
  return entries.some(
    (entry) => entry.isObject && /^Orchestrator \(/.test(entry.get('role')?.text ?? ''),
  );
}

function readValue(value: JsonView, context: ValueContext): RunDraft[] {
  const { ledger, issues, sourceName } = context;
  const history = value.isArray ? value : value.get('history');
  if (history?.isArray !== true) {
    ledger.notUnderstood(value.origin, 'no history');
    return [];
  }
  const run = new ChatRun(issues);
  const entries = new Entries(run, context);
  for (const [index, entry] of history.items.entries()) entries.read(entry, index);
  // Every entry is one step, so the label's number is the step's place.
  const label = labelOf(value, run.steps);
  const drafts = draftOfChat(run, {
    key: value.get('question_ID')?.text ?? '0',
    client: null,
    title: value.get('question')?.text ?? null,
    naturalId: value.get('question_ID')?.text ?? null,
    sourceName,
  });
  return label === null ? drafts : drafts.map((draft) => ({ ...draft, externalMarks: [label] }));
}

/** `Orchestrator (-> WebSurfer)`: what follows is done by the one who is named. */
const HAND_OFF = /^Orchestrator \(-> ?[^)]+\)$/;
const ORCHESTRATOR = /^Orchestrator\b/;

/** Every entry is one step, whatever it is, so that the label's number leads to it. */
class Entries {
  readonly #run: ChatRun;
  readonly #ledger: ValueContext['ledger'];
  /** The orchestrator's last hand-off, until it speaks again after the other has. */
  #handOff: Step | null = null;

  constructor(run: ChatRun, { ledger }: ValueContext) {
    this.#run = run;
    this.#ledger = ledger;
  }

  read(entry: JsonView, index: number): void {
    const content = entry.get('content');
    const role = entry.get('role')?.text ?? '';
    const isOrchestrator = ORCHESTRATOR.test(role);
    // What it thinks before the other has spoken leaves the hand-off open.
    const isOver = HAND_OFF.test(role) || this.#handOff?.status === 'ok';
    if (role === 'human' || (isOrchestrator && isOver)) this.#handOff = null;
    this.#run.parent = isOrchestrator ? null : this.#handOff;
    if (content === undefined) {
      this.#ledger.notUnderstood(entry.origin, 'an entry without content');
      this.#run.step(entry.origin, { kind: 'note', name: 'Entry without content' });
      return;
    }
    this.#ledger.understood();
    const handOff = this.#handOff;
    if (HAND_OFF.test(role)) this.#handOff = addHandOff(this.#run, entry, content, role);
    else addEntry(this.#run, entry, content, index);
    // The last that was said before the orchestrator speaks again is what came back to it.
    if (handOff !== null && !isOrchestrator) {
      handOff.result = content.value('logged');
      handOff.moreOrigins = [entry.origin];
      handOff.pairing = { by: 'order', derived: true };
      handOff.status = 'ok';
    }
  }
}

function addHandOff(run: ChatRun, entry: JsonView, content: JsonView, role: string): Step {
  const { parts } = readContent('assistant', content, entry);
  return run.step(entry.origin, {
    kind: 'agent',
    name: oneLine(role, 100),
    content: parts.map(partOf),
    status: 'unanswered',
    pairing: { by: 'none', derived: false },
    summary: firstLine(parts.flatMap(({ text }) => text ?? []).join('\n')),
  });
}

function addEntry(run: ChatRun, entry: JsonView, content: JsonView, index: number): void {
  const role = entry.get('role')?.text ?? '';
  const speaker = oneLine(entry.get('name')?.text ?? role, 100) || 'unnamed';
  const message = readContent('assistant', content, entry);
  const summary = firstLine(message.parts.flatMap(({ text }) => text ?? []).join('\n'));
  const parts = message.parts.map(partOf);
  if (/^computer_terminal/i.test(speaker)) {
    const code = /exitcode: (-?\d+)/.exec(content.text ?? '')?.[1];
    run.step(entry.origin, {
      kind: 'tool',
      name: speaker,
      tool: speaker,
      arguments: notCaptured('logged'),
      result: content.value('logged'),
      status: code === undefined || code === '0' ? 'ok' : 'error',
      statusReason: code === undefined || code === '0' ? null : `exit code ${code}`,
      pairing: { by: 'none', derived: false },
      summary,
    });
    return;
  }
  const isHuman = role === 'human' || (index === 0 && entry.get('name') === undefined);
  run.step(entry.origin, {
    kind: isHuman ? 'user' : 'model',
    name: isHuman ? 'User turn' : speaker,
    content: parts,
    summary,
  });
}

/** The whole of it stands at the label's origin. */
const MAX_REASON_LENGTH = 2000;

/** The label counts entries of the history from 0; null where the file has none. */
function labelOf(value: JsonView, steps: readonly Step[]): ExternalMark | null {
  const place = value.get('mistake_step');
  const agent = value.get('mistake_agent')?.text ?? null;
  const reason = oneLine(value.get('mistake_reason')?.text ?? '', MAX_REASON_LENGTH);
  if (place === undefined && agent === null && reason === '') return null;
  const entry = place === undefined ? null : oneLine(place.text ?? place.written, 40);
  const index = entry !== null && /^\d+$/.test(entry) ? Number(entry) : -1;
  return {
    by: 'Who&When label',
    stepId: steps[index]?.id ?? null,
    placeText: entry === null ? null : `entry ${entry}, counted from 0`,
    agent,
    category: null,
    reason,
    origin: value.origin,
  };
}
