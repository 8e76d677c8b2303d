import type { Database } from '../database.ts';
import type { LoopFacts } from '../store.ts';
import { decodeText } from '../stored-text.ts';

const CASE_TAG = /^case:(.+)$/s;

/** What the loop of change and answer has cost so far, from the rows of calls and of runs. */
export function readLoop(database: Database): LoopFacts {
  return database.read(() => {
    const replays = database.all(
      database.builder
        .selectFrom('replays')
        .select(['runKey', 'tool', 'outcome', 'experimentId', 'preparedMs', 'preparedFrom'])
        .select('receiptText')
        .where('outcome', 'is not', null),
    );
    const atOnce = database.first(
      database.builder
        .selectFrom('experimentSends')
        .select((column) => column.fn.countAll<bigint>().as('n'))
        .where('replayId', 'is', null),
    );
    const runs = database.all(
      database.builder.selectFrom('runs').select(['key', 'tagsJson', 'calledToolsJson']),
    );
    return {
      atOnceCount: Number(atOnce?.n ?? 0),
      replays: replays.map((row) => ({
        runKey: String(row.runKey),
        tool: decodeText(row.tool),
        // Without a receipt no call was planned through, so none left.
        receiptText: row.receiptText === null ? null : decodeText(row.receiptText),
        outcome: row.outcome ?? '',
        isInExperiment: row.experimentId !== null,
        preparedMs: row.preparedMs === null ? null : Number(row.preparedMs),
        preparedFrom:
          row.preparedFrom === 'edit' || row.preparedFrom === 'open' ? row.preparedFrom : null,
      })),
      runs: runs.flatMap((row) => {
        // Written by saveImport and updateRun.
        const tags = JSON.parse(row.tagsJson) as string[];
        const cases = tags.flatMap((tag) => CASE_TAG.exec(tag)?.[1] ?? []);
        if (cases.length === 0) return [];
        const tools = JSON.parse(row.calledToolsJson) as string[];
        return [{ runKey: String(row.key), cases, tools }];
      }),
    };
  });
}
