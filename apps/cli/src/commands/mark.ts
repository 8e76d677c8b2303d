import {
  type Citation,
  CitationSchema,
  type Mark,
  type MarkDraft,
  MarkDraftSchema,
  type Step,
  type Ulid,
  UlidSchema,
} from '@misstep/model';
import type { Services } from '@misstep/server';
import {
  type Command,
  type CommandInput,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';
import { findRun, findStep } from '../find-run.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const markCommand: Command = {
  name: 'mark',
  summary: 'Mark the first wrong step; without a step, tell the current mark.',
  usage: 'RUN [STEP]',
  options: {
    category: {
      type: 'string',
      value: 'TEXT',
      text: 'What kind of wrong it is, e.g. "Wrong tool".',
    },
    reason: { type: 'string', value: 'TEXT', text: 'Why, in your own words.' },
    cite: {
      type: 'string',
      value: 'PART:POINTER',
      multiple: true,
      text: 'A value of STEP that the mark rests on, e.g. arguments:/since; several times for several.',
    },
    'cite-experiment': {
      type: 'string',
      value: 'EXPERIMENT',
      multiple: true,
      text: 'What an experiment on STEP came to, as evidence; several times for several.',
    },
    'cite-replay': {
      type: 'string',
      value: 'REPLAY[:POINTER]',
      multiple: true,
      text: 'A value in the answer of a replay of STEP, which the recording may not have.',
    },
    after: {
      type: 'boolean',
      text: 'A call is missing in the gap after STEP (0 = before the first step).',
    },
    none: { type: 'boolean', text: 'No deviation found; takes no STEP.' },
    remove: { type: 'boolean', text: 'Take the mark back; it stays in the history.' },
  },
  async run(input) {
    const { terminal, json, positionals, options } = input;
    const [givenRun, givenStep, surplus] = positionals;
    if (givenRun === undefined) throw new UsageError('RUN is missing.');
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
    checkOptions(input, givenStep);
    const services = await input.services();
    const runId = await findRun(services, givenRun);
    const steps = await services.store.listSteps(runId);
    if (options.remove === true) {
      const { removed } = await services.marks.remove(runId);
      if (json) writeJson(terminal, { type: 'mark', mark: null, removed });
      else writeWords(terminal, removed ? 'The mark is taken back.\n' : 'There was no mark.\n');
      return 0;
    }
    if (givenStep === undefined && options.none !== true) {
      tellMark(input, (await services.store.getRun(runId)).mark, steps);
      return 0;
    }
    const draft = MarkDraftSchema.safeParse({
      place: placeOf(input, steps, givenStep),
      category: textOption(options, 'category'),
      reason: textOption(options, 'reason') ?? '',
      citations: [
        ...citationsOf(input, steps, givenStep),
        ...(await citedVerdicts(input, services, steps, givenStep)),
        ...citedReplays(input, steps, givenStep),
      ],
    });
    if (!draft.success) {
      throw new UsageError(draft.error.issues[0]?.message ?? 'The mark cannot be read.');
    }
    tellMark(input, await services.marks.put(runId, draft.data), steps);
    return 0;
  },
};

function checkOptions({ options }: CommandInput, step: string | undefined): void {
  const chosen = ['after', 'none', 'remove'].filter((name) => options[name] === true);
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(' and --')} exclude each other.`);
  if (chosen[0] === 'after' && step === undefined) throw new UsageError('--after needs a STEP.');
  if (chosen[0] !== undefined && chosen[0] !== 'after' && step !== undefined) {
    throw new UsageError(`--${chosen[0]} takes no STEP.`);
  }
  const cites = textOptions(options, 'cite');
  for (const cite of cites) readCite(cite);
  const verdicts = textOptions(options, 'cite-experiment');
  if (verdicts.length > 0 && (step === undefined || (step === '0' && options.after === true))) {
    throw new UsageError('--cite-experiment needs a STEP.');
  }
  const replays = textOptions(options, 'cite-replay');
  for (const replay of replays) readReplayCite(replay);
  if (replays.length > 0 && (step === undefined || (step === '0' && options.after === true))) {
    throw new UsageError('--cite-replay needs a STEP.');
  }
  if (cites.length > 0 && (step === undefined || (step === '0' && options.after === true))) {
    throw new UsageError('--cite needs a STEP.');
  }
  const described = options.category !== undefined || options.reason !== undefined;
  if (described && step === undefined && chosen[0] !== 'none') {
    throw new UsageError('--category and --reason need a STEP.');
  }
}

function placeOf(
  { options }: CommandInput,
  steps: readonly Step[],
  given: string | undefined,
): MarkDraft['place'] {
  if (options.none === true || given === undefined) return { kind: 'noDeviation' };
  if (options.after !== true) return { kind: 'step', stepId: findStep(steps, given).id };
  return { kind: 'gap', afterStepId: given === '0' ? null : findStep(steps, given).id };
}

function citationsOf(
  { options }: CommandInput,
  steps: readonly Step[],
  given: string | undefined,
): MarkDraft['citations'] {
  const cites = textOptions(options, 'cite').map(readCite);
  if (given === undefined || cites.length === 0) return [];
  const { id: stepId } = findStep(steps, given);
  return cites.map((cite) => ({ stepId, ...cite }));
}

/** EXPERIMENT_NOT_FOUND. An experiment on another step is no evidence of this one. */
async function citedVerdicts(
  { options }: CommandInput,
  { experiments }: Services,
  steps: readonly Step[],
  given: string | undefined,
): Promise<MarkDraft['citations']> {
  const asked = textOptions(options, 'cite-experiment');
  if (given === undefined || asked.length === 0) return [];
  const { id: stepId, seq } = findStep(steps, given);
  const cited: MarkDraft['citations'] = [];
  for (const word of asked) {
    const experiment = await experiments.get(await experiments.find(word));
    if (experiment.stepId !== stepId) {
      throw new UsageError(
        `--cite-experiment ${word}: it is of step ${experiment.stepSeq}, not of step ${seq}.`,
      );
    }
    cited.push({ stepId, part: 'verdict', pointer: '', experimentId: experiment.id });
  }
  return cited;
}

function citedReplays(
  { options }: CommandInput,
  steps: readonly Step[],
  given: string | undefined,
): MarkDraft['citations'] {
  const cited = textOptions(options, 'cite-replay').map(readReplayCite);
  if (given === undefined || cited.length === 0) return [];
  const { id: stepId } = findStep(steps, given);
  return cited.map((cite) => ({ stepId, part: 'replay', ...cite }));
}

function readReplayCite(text: string): { replayId: Ulid; pointer: string } {
  const colon = text.indexOf(':');
  const replayId = UlidSchema.safeParse(colon < 0 ? text : text.slice(0, colon));
  const pointer = colon < 0 ? '' : text.slice(colon + 1);
  if (!replayId.success) {
    throw new UsageError(`--cite-replay ${text}: it begins with the id of a replay.`);
  }
  checkPointer('--cite-replay', text, pointer);
  return { replayId: replayId.data, pointer };
}

/** RFC 6901, section 3; a duplicate key is named `/key~#0`. */
function checkPointer(option: string, text: string, pointer: string): void {
  if (/^(\/([^~/]|~[01])*(~#(0|[1-9]\d*))?)*$/.test(pointer)) return;
  throw new UsageError(`${option} ${text}: POINTER must be a JSON Pointer such as /since.`);
}

function readCite(text: string): Pick<Citation, 'part' | 'pointer'> {
  const colon = text.indexOf(':');
  const part = CitationSchema.shape.part.safeParse(colon < 0 ? text : text.slice(0, colon));
  const pointer = colon < 0 ? '' : text.slice(colon + 1);
  // A verdict and a live answer have options of their own: they are named by their record.
  if (!part.success || part.data === 'verdict' || part.data === 'replay') {
    const parts = CitationSchema.shape.part.options
      .filter((each) => each !== 'verdict' && each !== 'replay')
      .join(', ');
    throw new UsageError(`--cite ${text}: PART must be one of ${parts}.`);
  }
  checkPointer('--cite', text, pointer);
  return { part: part.data, pointer };
}

function tellMark(
  { terminal, json }: CommandInput,
  mark: Mark | null,
  steps: readonly Step[],
): void {
  const seqOf = (id: string) => steps.find((step) => step.id === id)?.seq ?? 0;
  if (json) writeJson(terminal, { type: 'mark', mark });
  else if (mark === null) writeWords(terminal, 'Not marked.\n');
  else {
    const cited = mark.citations.map(({ stepId, part, pointer, experimentId, replayId }) => {
      if (replayId !== undefined) {
        return `step ${seqOf(stepId)} answer of replay ${replayId}${pointer === '' ? '' : `:${pointer}`}`;
      }
      return experimentId === undefined
        ? `step ${seqOf(stepId)} ${part}:${pointer}`
        : `step ${seqOf(stepId)} verdict of experiment ${experimentId}`;
    });
    const words = [
      describePlace(mark.place, seqOf),
      mark.category ?? '',
      mark.reason,
      cited.length === 0 ? '' : `citing ${cited.join(', ')}`,
    ];
    writeWords(
      terminal,
      `${words
        .filter((word) => word !== '')
        .map(visible)
        .join(': ')}\n`,
    );
  }
}

function describePlace(place: Mark['place'], seqOf: (id: string) => number): string {
  switch (place.kind) {
    case 'step':
      return `Step ${seqOf(place.stepId)}`;
    case 'gap':
      return place.afterStepId === null
        ? 'Missing before the first step'
        : `Missing after step ${seqOf(place.afterStepId)}`;
    case 'noDeviation':
      return 'No deviation found';
  }
}
