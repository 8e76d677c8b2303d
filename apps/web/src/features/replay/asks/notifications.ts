import { member, nodeText, parseJson, stringValue } from '@misstep/json';
import type { ReplayFrame } from '@misstep/model';

const LONGEST_WORDS = 2000;
const MOST_MESSAGES = 200;

/** The last progress that the server told of, e.g. `2 of 3 counting`; null = none. */
export function latestProgress(frames: readonly ReplayFrame[]): string | null {
  const frame = frames.findLast(
    ({ method, direction }) =>
      method === 'notifications/progress' && direction === 'server-to-client',
  );
  const parsed = frame === undefined ? null : parseJson(frame.text);
  if (parsed === null || !parsed.ok) return null;
  const document = parsed.value;
  const params = member(document, document.root, 'params');
  const textOf = (key: string) => {
    const node = member(document, params, key);
    if (node === undefined) return null;
    const text = node.kind === 'string' ? stringValue(document, node) : nodeText(document, node);
    return text.replace(/\s+/g, ' ').slice(0, 120);
  };
  const total = textOf('total');
  const amount = [textOf('progress') ?? '?', ...(total === null ? [] : ['of', total])];
  return [...amount, textOf('message') ?? ''].join(' ').trim();
}

export interface LogMessage {
  readonly seq: number;
  readonly atNs: number;
  readonly level: string;
  readonly text: string;
  readonly omitted: number;
}

/** What the server logged through the protocol, newest last, and how many older are left out. */
export function readLogMessages(frames: readonly ReplayFrame[]): {
  messages: readonly LogMessage[];
  omittedCount: number;
} {
  const all = frames.filter(
    ({ method, direction }) =>
      method === 'notifications/message' && direction === 'server-to-client',
  );
  return {
    messages: all.slice(-MOST_MESSAGES).map(readLogMessage),
    omittedCount: Math.max(0, all.length - MOST_MESSAGES),
  };
}

function readLogMessage({ seq, atNs, text: frameText }: ReplayFrame): LogMessage {
  const parsed = parseJson(frameText);
  if (!parsed.ok) return { seq, atNs, level: 'unread', ...cut(frameText) };
  const document = parsed.value;
  const params = member(document, document.root, 'params');
  const textOf = (key: string) => {
    const node = member(document, params, key);
    if (node === undefined) return null;
    return node.kind === 'string' ? stringValue(document, node) : nodeText(document, node);
  };
  const logger = textOf('logger');
  const said = textOf('data') ?? '';
  return {
    seq,
    atNs,
    level: (textOf('level') ?? 'no level').slice(0, 40),
    ...cut(logger === null ? said : `${logger}: ${said}`),
  };
}

function cut(text: string): { text: string; omitted: number } {
  return { text: text.slice(0, LONGEST_WORDS), omitted: Math.max(0, text.length - LONGEST_WORDS) };
}
