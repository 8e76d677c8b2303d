import { Readable } from 'node:stream';
import type { Services } from '../compose.ts';
import { shownComparison } from '../services/replay/shown-comparison.ts';
import { Download, type Handlers } from './handler.ts';

type AccountRoute =
  | 'getReceipt'
  | 'verifyReceipt'
  | 'exportReceipt'
  | 'getComparison'
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
    async getComparison({ params }) {
      const { comparison, rules, suggestions } = await comparisons.showRuled(params.replayId);
      return {
        comparison: shownComparison(comparison),
        rules: [...rules],
        suggestions: [...suggestions],
      };
    },
    async putIgnoreRules({ params, body }) {
      return { rules: [...(await comparisons.keepRules(params.runId, params.stepId, body.rules))] };
    },
    async getTextDifference({ params }) {
      const difference = await comparisons.textDifference(params.replayId);
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
