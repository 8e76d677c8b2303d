import type { Elision } from '@misstep/model';
import { cutAt } from '../../run-writer.ts';

const CUTS: readonly { pattern: RegExp; kind: Elision['kind'] }[] = [
  { pattern: /^\.\.\. \[(\d{1,12}) lines truncated\] \.\.\.$/m, kind: 'lines' },
  {
    pattern: /^\.\.\. \[(\d{1,12}) characters (?:omitted|truncated)\] \.\.\.$/m,
    kind: 'characters',
  },
  { pattern: /^Tool output was too large and has been truncated\b[^\n]{0,200}/m, kind: 'lines' },
  {
    pattern: /^Output too large\. Showing (?:the )?(?:first|last)\b[^\n]{0,200}/m,
    kind: 'characters',
  },
  { pattern: /^\[File content truncated:[^\]\n]{0,200}\]/m, kind: 'lines' },
];

/** Every place where Gemini CLI says that it cut a tool's output. */
export function cutsInToolText(text: string, pointer: string): Elision[] {
  return CUTS.flatMap(({ pattern, kind }) => {
    const match = pattern.exec(text);
    if (match === null) return [];
    const count = match[1] === undefined ? null : Number(match[1]);
    return [cutAt(pointer, kind, count, match[0])];
  });
}
