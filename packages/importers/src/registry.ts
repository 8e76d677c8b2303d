import { aiderHistory } from './formats/aider-history.ts';
import { chatgptExport } from './formats/chatgpt-export.ts';
import { claudeAiExport } from './formats/claude-ai-export.ts';
import { claudeCodeJsonl } from './formats/claude-code-jsonl.ts';
import { claudeCodeStream } from './formats/claude-code-stream.ts';
import { claudeCodeTerminal } from './formats/claude-code-terminal.ts';
import { claudeDesktopLog } from './formats/claude-desktop-log.ts';
import { clineRoo } from './formats/cline-roo.ts';
import { codexExec } from './formats/codex-exec.ts';
import { codexRollout } from './formats/codex-rollout.ts';
import { cursorMarkdown } from './formats/cursor-markdown.ts';
import { frameLog } from './formats/frame-log.ts';
import { geminiCli } from './formats/gemini-cli.ts';
import { jsonRpcLines } from './formats/json-rpc-lines.ts';
import { opencode } from './formats/opencode.ts';
import { plainText } from './formats/plain-text.ts';
import { specstoryMarkdown } from './formats/specstory-markdown.ts';
import { vscodeCopilot } from './formats/vscode-copilot.ts';
import { vscodeMcpLog } from './formats/vscode-mcp-log.ts';
import type { Importer } from './importer.ts';

/** Every format that can be read. A new one is one file in formats/ and one line here. */
export const importers: readonly Importer[] = [
  frameLog,
  claudeCodeJsonl,
  jsonRpcLines,
  codexRollout,
  codexExec,
  claudeCodeStream,
  geminiCli,
  vscodeCopilot,
  claudeDesktopLog,
  vscodeMcpLog,
  clineRoo,
  opencode,
  chatgptExport,
  claudeAiExport,
  cursorMarkdown,
  specstoryMarkdown,
  aiderHistory,
  claudeCodeTerminal,
  plainText,
];
