import { addRecordCounts, durationOf, hasClockSkew, type Step } from '@misstep/model';
import { type Command, takePositionals } from '../command.ts';
import {
  costWords,
  depthsOf,
  describeDuration,
  loadRun,
  runLine,
  stepLine,
} from '../describe-run.ts';
import { findRun } from '../find-run.ts';
import { formatTable } from '../terminal/table.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, shorten, visible } from '../terminal/visible.ts';

const SUMMARY_LENGTH = 80;

export const showCommand: Command = {
  name: 'show',
  summary: 'Show a run and its steps in execution order.',
  usage: 'RUN',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'RUN');
    const services = await input.services();
    const { stored, steps } = await loadRun(services, await findRun(services, given));
    const prices = await services.prices.finder();
    const line = runLine(stored, prices);
    const byId = new Map(steps.map((step) => [step.id, step]));
    const parentOf = ({ parentId }: Step) =>
      parentId === null ? null : (byId.get(parentId) ?? null);
    if (json) {
      const unused = await services.store.listUnused(stored.run.id, { offset: 0, limit: 1 });
      const records = addRecordCounts(stored.sources.map((source) => source.records));
      const { sources, issues } = stored;
      const seqs = new Map(steps.map(({ id, seq }) => [id, seq]));
      const externalMarks = stored.externalMarks.map((each) => ({
        ...each,
        seq: each.stepId === null ? null : (seqs.get(each.stepId) ?? null),
      }));
      writeJson(terminal, {
        ...line,
        records,
        unusedGroups: unused.groups,
        unusedGroupsOmitted: unused.groupsOmitted,
        sources,
        issues,
        externalMarks,
      });
      for (const step of steps) {
        const parent = parentOf(step);
        writeJson(terminal, await stepLine(services.values, line.clock, step, parent, prices));
      }
      return 0;
    }
    const { run } = stored;
    writeWords(
      terminal,
      [
        visible(run.title),
        `${run.id}  ${run.format}  ${line.startedAt ?? 'no times recorded'}`,
        `${counted(run.stepCount, 'step')}, ${counted(run.toolCallCount, 'tool call')}, ${counted(run.errorCount, 'error')}, ${accountOf(stored)}`,
        costLine(line.cost),
        '',
      ]
        .map((text) => `${text}\n`)
        .join(''),
    );
    const depths = depthsOf(steps);
    const rows = steps.map((step) => rowOf(step, parentOf(step), depths.get(step.id) ?? 0));
    writeWords(terminal, formatTable(rows, new Set([0, 3])));
    return 0;
  },
};

function costLine(cost: ReturnType<typeof runLine>['cost']): string {
  const words = costWords(cost) || 'not known';
  const derived =
    cost.differs && cost.derivedUsd !== null ? `; tokens and prices give $${cost.derivedUsd}` : '';
  const unpriced = cost.unpricedModels.map((model) => model ?? 'a model that is not named');
  const without =
    unpriced.length === 0 ? '' : `; no price for ${shorten(unpriced.join(', '), 120)}`;
  return `Cost: ${words}${derived}${without}`;
}

function accountOf({ sources }: Awaited<ReturnType<typeof loadRun>>['stored']): string {
  const counts = addRecordCounts(sources.map(({ records }) => records));
  const { total, understood, setAside, notUnderstood, malformed } = counts;
  const aside = setAside === null ? 'set aside not counted' : `${setAside} set aside`;
  return `${counted(total, 'record')} (${understood} understood, ${aside}, ${notUnderstood} not understood, ${malformed} malformed)`;
}

function rowOf(step: Step, parent: Step | null, depth: number): string[] {
  const skew = hasClockSkew(step, parent) ? 'clock skew' : '';
  return [
    String(step.seq),
    `${'  '.repeat(Math.min(depth, 20))}${shorten(step.name, 40)}`,
    step.status === 'none' ? '' : step.status,
    [describeDuration(durationOf(step)), skew].filter((word) => word !== '').join(', '),
    shorten(step.summary, SUMMARY_LENGTH),
  ];
}
