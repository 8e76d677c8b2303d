import { Readable } from 'node:stream';
import { VerdictSchema } from '@misstep/model';
import type { Services } from '../compose.ts';
import { shownComparison } from '../services/replay/shown-comparison.ts';
import { Download, type Handlers } from './handler.ts';

type AccountRoute =
  | 'getReceipt'
  | 'verifyReceipt'
  | 'exportReceipt'
  | 'getComparison'
  | 'listComparisonRows'
  | 'putIgnoreRules'
  | 'getTextDifference'
  | 'takeAwayReplay'
  | 'takeAwayStep';

/** What a replay came to: its receipt, its comparison, and the call to take away. */
export function accountHandlers({
  receipts,
  comparisons,
  takeAway,
}: Services): Pick<Handlers, AccountRoute> {
  return {
    getReceipt: ({ params }) => receipts.show(params.replayId),
    async verifyReceipt({ params }) {
      const { verified, sentence, checks } = await receipts.verify(params.replayId);
      return { verified, sentence, checks: [...checks] };
    },
    async exportReceipt({ params }) {
      const { bytes } = await receipts.export(params.replayId);
      return new Download(`replay-${params.replayId}.frames`, bytes.length, () =>
        Readable.from([bytes]),
      );
    },
    async getComparison({ params, signal }) {
      const { comparison, rules, suggestions } = await comparisons.showRuled(
        params.replayId,
        signal,
      );
      return {
        comparison: shownComparison(comparison),
        rules: [...rules],
        suggestions: [...suggestions],
      };
    },
    async listComparisonRows({ params, query, signal }) {
      const { offset, limit, verdict } = query;
      const verdicts = verdict === undefined ? undefined : [...new Set(verdict.split(','))];
      const window = {
        offset,
        limit,
        verdicts: verdicts?.map((each) => VerdictSchema.parse(each)),
      };
      return comparisons.rows(params.replayId, window, signal);
    },
    async putIgnoreRules({ params, body }) {
      return { rules: [...(await comparisons.keepRules(params.runId, params.stepId, body.rules))] };
    },
    async getTextDifference({ params, signal }) {
      const difference = await comparisons.textDifference(params.replayId, signal);
      return {
        difference: difference === null ? null : { ...difference, lines: [...difference.lines] },
      };
    },
    async takeAwayReplay({ params, query }) {
      const { notes, ...made } = await takeAway.ofReplay(params.replayId, query.form);
      return { ...made, notes: [...notes] };
    },
    async takeAwayStep({ params, query }) {
      const { notes, ...made } = await takeAway.make({
        ...params,
        ...query,
        argumentsText: null,
        tool: null,
      });
      return { ...made, notes: [...notes] };
    },
  };
}
