import { claudeCodeJsonl } from './formats/claude-code-jsonl.ts';
import { claudeCodeTerminal } from './formats/claude-code-terminal.ts';
import { codexRollout } from './formats/codex-rollout.ts';
import { frameLog } from './formats/frame-log.ts';
import { jsonRpcLines } from './formats/json-rpc-lines.ts';
import { plainText } from './formats/plain-text.ts';
import type { Importer } from './importer.ts';

/** Every format that can be read. A new one is one file in formats/ and one line here. */
export const importers: readonly Importer[] = [
  frameLog,
  claudeCodeJsonl,
  jsonRpcLines,
  codexRollout,
  claudeCodeTerminal,
  plainText,
];
