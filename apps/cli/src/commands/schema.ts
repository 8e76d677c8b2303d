import { type Command, takePositionals } from '../command.ts';
import { formatTable } from '../terminal/table.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { shorten, visible } from '../terminal/visible.ts';

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'Say what strict and lenient clients make of a replay, and how its tool has changed.',
  usage: 'REPLAY',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY');
    const services = await input.services();
    const report = await services.schemas.report(await services.receipts.find(given));
    if (json) {
      writeJson(terminal, report);
      return 0;
    }
    const { arguments: args, result, toolList, drift } = report;
    const lines = [
      args?.strict.sentence ?? 'The replay saw no definition of the tool.',
      ...(args === null ? [] : [args.lenient.sentence, ...args.remarks]),
      ...(result === null ? [] : [result.sentence]),
      ...(toolList === null ? [] : [toolList.sentence]),
      drift?.sentence ?? 'The recording or the server lacks the definition, so drift is not known.',
      ...(drift === null || drift.statement === null ? [] : [drift.statement]),
    ];
    writeWords(terminal, lines.map((line) => `${visible(line)}\n`).join(''));
    const rows = [
      ...(args?.strict.issues ?? []).map(({ pointer, line, column, sentence }) => [
        'argument',
        pointer,
        `${line}:${column}`,
        sentence,
      ]),
      ...(toolList?.faults ?? []).map(({ tool, pointer, words }) => ['tool', tool, pointer, words]),
      ...byWeight(drift?.changes ?? []).map(({ pointer, effect, recorded, live }) => [
        'drift',
        pointer,
        effect,
        `${shorten(recorded ?? 'absent', 40)} -> ${shorten(live ?? 'absent', 40)}`,
      ]),
    ];
    writeWords(terminal, formatTable(rows));
    return 0;
  },
};

const EFFECTS = ['validation', 'policy', 'reading'];

/** What a call can fail by goes before what is only read. */
function byWeight<Change extends { readonly effect: string }>(
  changes: readonly Change[],
): readonly Change[] {
  return changes.toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect));
}
