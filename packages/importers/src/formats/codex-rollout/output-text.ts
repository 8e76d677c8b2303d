import { parseJson, toPlain } from '@misstep/json';
import type { StepStatus } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import { field, textField } from '../../plain-fields.ts';
import { decimalToNs } from '../../source-time.ts';

export interface OutputVerdict {
  readonly status: StepStatus;
  readonly reason: string | null;
}

const OK: OutputVerdict = { status: 'ok', reason: null };
const LONGEST_PARSED = 4_000_000;

/** What became of a call, from the text that Codex gave the model. */
export function verdictOfOutput(text: string): OutputVerdict {
  const head = text.slice(0, 2000);
  if (/^(?:aborted by user|aborted)\b/i.test(head)) {
    return { status: 'interrupted', reason: firstLine(head, 200) };
  }
  if (
    /^(?:err: )?"?(?:exec command |patch |user )?(?:rejected|cancelled) (?:by user|MCP tool call)/i.test(
      head,
    )
  ) {
    return { status: 'rejected', reason: firstLine(head, 200) };
  }
  if (/^unsupported (?:custom tool )?call\b/i.test(head)) {
    return { status: 'neverReached', reason: firstLine(head, 200) };
  }
  if (
    /^(?:execution error|err|failed to parse function arguments|exec_command failed[^:\n]{0,80}|write_stdin failed[^:\n]{0,80})\s?:/i.test(
      head,
    )
  ) {
    return { status: 'error', reason: firstLine(head, 200) };
  }
  if (/^\s*\{/.test(head) && text.length < LONGEST_PARSED) return verdictOfJson(text);
  const code = exitCodeIn(head);
  if (code !== null) return verdictOfExit(code);
  if (/^Process running with session ID/m.test(preamble(head))) {
    return { status: 'ok', reason: 'The process was still running.' };
  }
  return OK;
}

function verdictOfJson(text: string): OutputVerdict {
  const parsed = parseJson(text);
  if (!parsed.ok) return OK;
  const plain = toPlain(parsed.value, parsed.value.root);
  const code = field(field(plain, 'metadata'), 'exit_code');
  if (typeof code === 'number') return verdictOfExit(code);
  if (field(plain, 'isError') !== true && field(plain, 'is_error') !== true) return OK;
  const content = field(plain, 'content');
  const said = Array.isArray(content) ? textField(content[0], 'text') : null;
  return { status: 'error', reason: firstLine(said ?? '', 200) || 'The result is an error.' };
}

export function verdictOfExit(code: number): OutputVerdict {
  return code === 0 ? OK : { status: 'error', reason: `Exit code ${code}` };
}

/** How long a command took, in nanoseconds: behind a JSON output, or in the lines above a plain one. */
export function durationOfOutput(text: string): bigint | null {
  const written =
    /"duration_seconds"\s*:\s*(\d{1,12}(?:\.\d{1,12})?)[^{}]{0,200}\}\s*\}\s*$/.exec(
      text.slice(-400),
    ) ?? /^Wall time: (\d{1,12}(?:\.\d{1,12})?) seconds$/m.exec(preamble(text.slice(0, 2000)));
  const ns = decimalToNs(written?.[1] ?? '', 's');
  return ns === null || ns === 0n ? null : ns;
}

/** The lines above `Output:`, which are Codex's own. */
function preamble(head: string): string {
  const lines = head.split('\n').slice(0, 8);
  const output = lines.indexOf('Output:');
  return (output < 0 ? [] : lines.slice(0, output)).join('\n');
}

function exitCodeIn(head: string): number | null {
  const match = /^(?:Process exited with code|Exit code:) (-?\d{1,6})$/m.exec(preamble(head));
  return match === null ? null : Number(match[1]);
}
