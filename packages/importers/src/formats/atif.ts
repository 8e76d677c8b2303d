import type { Step } from '@misstep/model';
import { resultText } from '../call-verdict.ts';
import { draftOfChat } from '../chat-draft.ts';
import { readContent } from '../chat-message.ts';
import type { ChatRole } from '../chat-parts.ts';
import { ChatRun, type MessageExtras } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { OPENING, openingOf } from '../continuation.ts';
import { firstObjects, headObject, headObjects, scoreOfMost } from '../head-values.ts';
import type {
  Importer,
  ImportInput,
  ImportResult,
  RunDraft,
  SourceGroup,
  SourceHead,
} from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { objectsIn } from '../listed-objects.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { counted, REPEATED } from '../record-ledger.ts';
import { type RunSource, sourcesInOrder } from '../run-sources.ts';
import { statedUsd } from '../stated-cost.ts';
import { makeStep, stepIdAt } from '../step-builder.ts';
import { StepIds } from '../step-ids.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** Agent trajectories in ATIF (Harbor, Terminal-Bench), v1.0 to v1.7. */
export const atif: Importer = {
  id: 'atif',
  title: 'ATIF trajectory',
  evidence: 'logged',
  revision: 7,
  sniff,
  group: groupOf,
  read,
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    if (/^ATIF-v\d/.test(object.get('schema_version')?.text ?? '')) return 0.97;
    return scoreOfMost(firstObjects(object.get('steps')), (step) =>
      step.get('step_id') !== undefined && step.get('source') !== undefined ? 0.85 : 0,
    );
  });
}

const CONTINUATION = /^(.+)-cont-\d+$/s;
const NAMED_AS_CONTINUATION = /[.-]cont-(\d+)\.json$/i;

/**
 * A trajectory that was cut into files names the next one; that one's session or file is named after the
 * first one's, or it begins with copied steps.
 */
function groupOf(head: SourceHead, path: string): SourceGroup | null {
  const first = headObject(head);
  const key = first?.get('session_id')?.text;
  if (typeof key !== 'string' || key === '') return null;
  const folder = /^(?:.*[\\/])/s.exec(path)?.[0] ?? null;
  const next = first?.get('continued_trajectory_ref')?.text;
  const links = typeof next === 'string' && folder !== null ? [`${folder}${next}`] : [];
  const stem = CONTINUATION.exec(key)?.[1];
  const isCopied = first?.get('steps')?.items[0]?.get('is_copied_context')?.isTrue === true;
  const number = NAMED_AS_CONTINUATION.exec(path)?.[1];
  const isMain = stem === undefined && !isCopied && number === undefined;
  if (isMain) return { key, role: 'main', part: null, links };
  if (folder !== null) links.push(path);
  // Some keep the session's own id in all of its files.
  const part = stem === undefined && number !== undefined ? `${key}-cont-${number}` : key;
  return { key: stem ?? key, role: 'companion', part, links };
}

/** One run of all the files of a trajectory, in the order of their names. */
async function read(input: ImportInput): Promise<ImportResult> {
  const partOf = ({ group }: RunSource) => group?.part ?? '';
  const ordered = sourcesInOrder(input).sort(
    (a, b) =>
      Number(b.role === 'first') - Number(a.role === 'first') ||
      partOf(a).localeCompare(partOf(b), 'en', { numeric: true }),
  );
  const joined = new Set(ordered.slice(1).map(({ reader }) => fileOf(reader.name)));
  const result: { [Key in keyof ImportResult]: ImportResult[Key][number][] } = {
    runs: [],
    sources: [],
    issues: [],
  };
  let run: RunDraft | undefined;
  let key: string | undefined;
  for (const source of ordered) {
    const { reader, part, rank, group } = source;
    const next = await readOne({ ...input, main: reader }, part, joined);
    if (rank === 0) key = next.runs[0]?.key;
    for (const draft of next.runs) {
      if (run === undefined) run = draft;
      else if (source === ordered[0]) result.runs.push(draft);
      else run = goOn(run, draft, { part, name: group?.part ?? part });
    }
    for (const account of next.sources) result.sources.push(account);
    for (const issue of next.issues) result.issues.push(issue);
  }
  if (run !== undefined) result.runs.unshift({ ...run, key: key ?? run.key });
  return result;
}

function fileOf(path: string): string {
  return path.replace(/^.*[\\/]/s, '');
}

/** `joined`: the names of the further files that are read with this one. */
function readOne(
  input: ImportInput,
  part: string | null,
  joined: ReadonlySet<string>,
): Promise<ImportResult> {
  return readValueSource(input, (value, context) => readValue(value, context, part, joined));
}

/** Each file states the cost of all that was done up to its end. */
function goOn(
  run: RunDraft,
  next: RunDraft,
  { part, name }: { part: string | null; name: string | null },
): RunDraft {
  const [first] = next.steps;
  if (first !== undefined) {
    const opening = makeStep({
      id: stepIdAt(first.origin.offset, OPENING, part),
      evidence: 'logged',
      origin: first.origin,
      ...openingOf(name),
    });
    return {
      ...run,
      steps: orderSteps([[...run.steps, opening, ...next.steps]]),
      clock: run.clock === 'none' ? next.clock : run.clock,
      model: run.model ?? next.model,
      recordedCostUsd: next.recordedCostUsd ?? run.recordedCostUsd ?? null,
    };
  }
  return run;
}

/** Sub-agents within sub-agents are read to this depth. */
const MAX_NESTING = 20;

function readValue(
  value: JsonView,
  context: ValueContext,
  part: string | null,
  joined: ReadonlySet<string>,
): RunDraft[] {
  const { ledger, issues, clock, sourceName } = context;
  if (value.get('steps')?.isArray !== true) {
    ledger.notUnderstood(value.origin, 'no steps');
    return [];
  }
  const run = new ChatRun(issues, new StepIds(part));
  const model = value.at('agent', 'model_name')?.text ?? null;
  run.addTools(value.at('agent', 'tool_definitions'));
  const started = new Map<string, Step>();
  const queue = [{ trajectory: value, base: null as Step | null, depth: 0 }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { trajectory, base, depth } = next;
    run.base = base;
    run.parent = base;
    for (const step of trajectory.get('steps')?.items ?? []) {
      readStep(run, step, context, trajectory.at('agent', 'model_name')?.text ?? model, started);
    }
    for (const inner of trajectory.get('subagent_trajectories')?.items ?? []) {
      const id = inner.firstOf('trajectory_id', 'session_id')?.text ?? '';
      if (depth < MAX_NESTING) {
        queue.push({ trajectory: inner, base: started.get(id) ?? base, depth: depth + 1 });
      } else ledger.notUnderstood(inner.origin, 'a sub-agent below too many others');
    }
  }
  const next = value.get('continued_trajectory_ref')?.text;
  if (typeof next === 'string' && !joined.has(fileOf(next))) {
    issues.add('CONTINUED_ELSEWHERE', `The run goes on in ${firstLine(next, 120)}.`, ledger.sha256);
  }
  const name = value.at('agent', 'name')?.text ?? null;
  const version = value.at('agent', 'version')?.text ?? null;
  return draftOfChat(run, {
    key: value.firstOf('trajectory_id', 'session_id')?.text ?? '0',
    client: name === null || version === null ? name : `${name} ${version}`,
    model,
    naturalId: value.get('session_id')?.text ?? null,
    clock: clock.clock,
    sourceName,
    recordedCostUsd: statedUsd(value.at('final_metrics', 'total_cost_usd')),
  });
}

const ROLES: ReadonlyMap<string, ChatRole> = new Map([
  ['user', 'user'],
  ['agent', 'assistant'],
  ['system', 'system'],
]);

function readStep(
  run: ChatRun,
  step: JsonView,
  { ledger, issues, clock }: ValueContext,
  agentModel: string | null,
  started: Map<string, Step>,
): void {
  const role = ROLES.get(step.get('source')?.text ?? '');
  if (role === undefined) {
    ledger.notUnderstood(step.origin, 'a step without a known source');
    return;
  }
  if (step.get('is_copied_context')?.isTrue === true) {
    const { sha256, offset } = step.origin;
    issues.count(
      'COPIED_CONTEXT',
      (count) => `${counted(count, 'step')} repeated from the trajectory before; left out.`,
      sha256,
      offset,
    );
    ledger.setAside(step.origin, REPEATED);
    return;
  }
  ledger.understood();
  const at = clock.read(step.get('timestamp'));
  const extras = { startedAt: at, record: step };
  const { parts } = readContent(role, step.get('message'), step);
  const reasoning = step.get('reasoning_content');
  if (reasoning?.text)
    parts.unshift({ kind: 'thinking', place: reasoning, text: null, redacted: false });
  const message = { role, speaker: null, parts, results: [], tools: [], place: step };
  const calls = objectsIn(step.get('tool_calls')).map((call) => ({
    id: call.get('tool_call_id')?.text ?? null,
    name: call.get('function_name')?.text ?? '',
    server: null,
    arguments: call.get('arguments'),
    place: call,
  }));
  const isModel = role === 'assistant' && step.get('llm_call_count')?.number !== '0';
  if (isModel || role !== 'assistant') {
    const usage = readUsage(step.get('metrics'));
    const cached = step.at('metrics', 'cached_tokens')?.count ?? null;
    run.add(
      { ...message, calls: [] },
      {
        ...extras,
        ...(role === 'assistant' ? { model: step.get('model_name')?.text ?? agentModel } : {}),
        usage: usage === null ? null : { ...usage, cacheReadTokens: cached },
        recordedCostUsd: isModel ? statedUsd(step.at('metrics', 'cost_usd')) : null,
      },
    );
  }
  const made = calls.map((call) => run.addCall(call, step.origin, extras));
  readObservation(run, step, made, extras, started);
}

function readObservation(
  run: ChatRun,
  step: JsonView,
  calls: readonly Step[],
  extras: MessageExtras,
  started: Map<string, Step>,
): void {
  const results = step.at('observation', 'results')?.items ?? [];
  // Without ids results match calls by position, one each.
  const byPosition = calls.length === results.length;
  for (const [index, result] of results.entries()) {
    const id = result.get('source_call_id')?.text ?? null;
    const call = calls.find(({ callId }) => callId !== null && callId === id);
    const target = call ?? (id === null && byPosition ? calls[index] : undefined);
    const content = result.firstOf('content');
    if (target === undefined) {
      const text = firstLine(resultText(content));
      const value = content?.value('logged');
      run.step(step.origin, {
        kind: 'note',
        name: 'Observation',
        content: value === undefined ? [] : [{ kind: 'text', value }],
        summary: text,
      });
      continue;
    }
    const given = { callId: id, name: null, content, isError: null, refused: false, place: result };
    run.settle(target, given, { ...extras, startedAt: null });
    target.pairing = { by: call === undefined ? 'order' : 'id', derived: call === undefined };
    for (const reference of result.get('subagent_trajectory_ref')?.items ?? []) {
      const inner = reference.firstOf('trajectory_id', 'session_id')?.text ?? reference.text;
      if (inner !== null && !started.has(inner)) started.set(inner, target);
    }
  }
}
