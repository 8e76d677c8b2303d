import { VERDICTS, type Verdict } from '@misstep/model';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { comparisonLines, writeComparisonRows, writePageOfRows } from '../describe-comparison.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'Show how the answer of a replay compares with the recording, without volatile fields.',
  usage: 'REPLAY',
  options: {
    ignore: {
      type: 'string',
      value: 'RULES',
      text: 'timestamps, ids, cursors, durations or patterns like /items/*/etag, with commas.',
    },
    rows: {
      type: 'string',
      value: 'VERDICT',
      text: 'Rows with this verdict, or all, a page of 2,000: also those that a large comparison leaves out.',
    },
    page: { type: 'string', value: 'N', text: 'Which page of --rows, from 1.' },
    kept: { type: 'boolean', text: 'Also the rules that were kept for this tool on the screen.' },
  },
  async run(input) {
    const { terminal, options, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY');
    const ignore = (textOption(options, 'ignore') ?? '').split(',').filter((rule) => rule !== '');
    const services = await input.services();
    const id = await services.receipts.find(given);
    const kept = options.kept === true ? (await services.comparisons.showRuled(id)).rules : [];
    const rules = [...new Set([...kept, ...ignore])];
    const comparison = await services.comparisons.show(id, rules);
    const { notChecked } = await services.replays.get(id);
    if (notChecked !== undefined) tell(terminal, visible(notChecked));
    const window = windowOf(textOption(options, 'rows'), textOption(options, 'page'));
    if (window !== null && comparison !== null) {
      const { rows, total } = await services.comparisons.rows(id, { ...window, ignore: rules });
      if (json) writeJson(terminal, { id, rules, rows, offset: window.offset, total });
      else writePageOfRows(terminal, comparison, { rows, offset: window.offset, total });
      return 0;
    }
    if (json) writeJson(terminal, { id, rules, comparison });
    else if (comparison === null) tell(terminal, 'No answer came, so nothing was compared.');
    else {
      writeWords(
        terminal,
        comparisonLines(comparison)
          .map((line) => `${line}\n`)
          .join(''),
      );
      writeComparisonRows(terminal, comparison);
    }
    return comparison === null ? 1 : 0;
  },
};

const PAGE_ROWS = 2000;

interface RowWindow {
  readonly offset: number;
  readonly limit: number;
  readonly verdicts?: readonly Verdict[];
}

/** Null where no rows are asked for. */
function windowOf(rows: string | null, page: string | null): RowWindow | null {
  if (rows === null) {
    if (page !== null) throw new UsageError('--page goes with --rows.');
    return null;
  }
  const verdict = VERDICTS.find((each) => each === rows);
  if (verdict === undefined && rows !== 'all') {
    throw new UsageError(`--rows takes all or one of: ${VERDICTS.join(', ')}.`);
  }
  if (!/^[1-9][0-9]{0,8}$/.test(page ?? '1')) throw new UsageError('--page takes a number from 1.');
  const offset = (Number(page ?? '1') - 1) * PAGE_ROWS;
  return { offset, limit: PAGE_ROWS, ...(verdict === undefined ? {} : { verdicts: [verdict] }) };
}
