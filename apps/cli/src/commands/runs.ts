import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { costWords, runLine } from '../describe-run.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { shorten } from '../terminal/visible.ts';

const DEFAULT_LIMIT = 50;

export const runsCommand: Command = {
  name: 'runs',
  summary: 'List the runs, newest first; those without a date last.',
  usage: '',
  options: {
    limit: {
      type: 'string',
      value: 'N',
      text: `How many to list: ${DEFAULT_LIMIT} if not given, all with --json.`,
    },
  },
  async run(input) {
    const { terminal, json, options } = input;
    takePositionals(input);
    const given = textOption(options, 'limit');
    if (given !== null && !/^[1-9]\d{0,8}$/.test(given)) {
      throw new UsageError('--limit must be a number above 0.');
    }
    const limit = given === null ? (json ? 1_000_000_000 : DEFAULT_LIMIT) : Number(given);
    const { store, prices } = await input.services();
    const finder = await prices.finder();
    const { total, runs } = await store.listRuns({ offset: 0, limit });
    if (json) {
      for (const stored of runs) writeJson(terminal, runLine(stored, finder));
      return 0;
    }
    const rows = runs.map((stored) => {
      const line = runLine(stored, finder);
      const { id, startedAt, format, stepCount, toolCallCount, errorCount, mark, markSeq, title } =
        line;
      return [
        id,
        shorten(startedAt ?? '', 30),
        format,
        String(stepCount),
        String(toolCallCount),
        String(errorCount),
        costWords(line.cost),
        markWord(mark?.place.kind ?? null, markSeq),
        shorten(title, 80),
      ];
    });
    const head = ['RUN', 'STARTED', 'FORMAT', 'STEPS', 'CALLS', 'ERRORS', 'COST', 'MARK', 'TITLE'];
    writeWords(terminal, formatTable([head, ...rows], new Set([3, 4, 5])));
    if (runs.length < total) tell(terminal, `${runs.length} of ${total} runs; more with --limit.`);
    return 0;
  },
};

function markWord(kind: 'step' | 'gap' | 'noDeviation' | null, seq: number | null): string {
  if (kind === null) return '-';
  if (kind === 'noDeviation') return 'no deviation';
  return kind === 'step' ? `step ${seq}` : `after ${seq}`;
}
