import { type ResultVerdict, verdictOf } from '../claude-code-jsonl/result-text.ts';
import { verdictOfOutput } from '../codex-rollout/output-text.ts';

const FAILED =
  /^\s*(?:Error:|Exit code [1-9]|<tool_use_error>|The user doesn't want to |\[Request interrupted by user)/;
const OF_CODEX = /^(?:Chunk ID:|Exit code:|Wall time:|Process exited with code|aborted by user)/;

/** What became of a call, by the words that the clients themselves put in front of a result. */
export function verdictInHistory(text: string): ResultVerdict {
  if (FAILED.test(text)) return verdictOf(text, true, null);
  return OF_CODEX.test(text) ? verdictOfOutput(text) : { status: 'ok', reason: null };
}
