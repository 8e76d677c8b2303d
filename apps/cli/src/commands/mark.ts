import { type Mark, type MarkDraft, MarkDraftSchema, type Step } from '@misstep/model';
import { type Command, type CommandInput, textOption, UsageError } from '../command.ts';
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
      if (json) writeJson(terminal, { type: 'markRemoved', runId, removed });
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
      citations: [],
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

function tellMark(
  { terminal, json }: CommandInput,
  mark: Mark | null,
  steps: readonly Step[],
): void {
  const seqOf = (id: string) => steps.find((step) => step.id === id)?.seq ?? 0;
  if (json) writeJson(terminal, { type: 'mark', mark });
  else if (mark === null) writeWords(terminal, 'Not marked.\n');
  else {
    const words = [describePlace(mark.place, seqOf), mark.category ?? '', mark.reason];
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
