import { readTime, type SourceTime } from '../../source-time.ts';

/** What a line begins with. `at` is where in the line's body the rest begins. */
export type LineHead =
  | { readonly type: 'call'; readonly at: number; readonly sure: boolean }
  | {
      readonly type: 'result';
      readonly at: number;
      readonly sure: boolean;
      readonly error: boolean;
    }
  | { readonly type: 'speaker'; readonly at: number; readonly who: Speaker; readonly label: string }
  | { readonly type: 'structure'; readonly at: number; readonly fence: string | null }
  | { readonly type: 'text'; readonly at: number };

export type Speaker = 'user' | 'model' | 'system' | 'tool';

export interface ReadLine {
  readonly head: LineHead;
  /** Where in the body the words begin: behind a stamp. */
  readonly at: number;
  readonly time: SourceTime | null;
}

const ISO_PART =
  '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,12})?)?(?: ?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?';
const CLOCK_PART = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,12})?(?: ?[AaPp][Mm])?';
const SHORT_CLOCK = '\\d{1,2}:\\d{2}(?: ?[AaPp][Mm])?';
const STAMP = new RegExp(
  `^\\s*(?:[-*] )?(?:\\*\\*|\`)?(?:[[(](${ISO_PART}|${CLOCK_PART}|${SHORT_CLOCK})[\\])]|(${ISO_PART}|${CLOCK_PART})(?=[\\s|:,-]|$))(?:\\*\\*|\`)?[ \\t]*(?:[|:,–-](?![->])[ \\t]*)?`,
);
/** Without brackets and seconds it may be any time: it is a stamp where a speaker or arrow follows. */
const LOOSE_STAMP = new RegExp(
  `^\\s*(?:[-*] )?(${SHORT_CLOCK})(?=[\\s|:,–-])[ \\t]*(?:[|:,–-](?![->])[ \\t]*)?`,
);

const CALL_ARROW =
  /^(?:→|⟶|[▶►▸⏵]\ufe0f?|➜|➔|➡\ufe0f?|⇒|-->|==>|->|=>|>>>|--&gt;|-&gt;|=&gt;|&rarr;|\[(?:→|->|=>|>)\]|C->S:?|CLIENT ?-> ?SERVER:?|REQUEST:?)[ \t]*/;
const RESULT_ARROW =
  /^(?:←|⟵|[◀◄◂⏴]\ufe0f?|⬅\ufe0f?|⇐|<--|<==|<-|<=|<<<|&lt;--|&lt;-|&lt;=|&larr;|\[(?:←|<-|<=|<)\]|S->C:?|SERVER ?-> ?CLIENT:?|RESPONSE:)[ \t]*/;
const CALL_WORD =
  /^(?:\[(?:tool[ _](?:use|call)|function[ _]call|call|invoke)\][ \t]*:?[ \t]*|(?:\*\*|_|`)?(?:(?:calling|called|invoking|invoked|using|running|executing|call)(?: the)?(?: tool| function)?|tool[ _-]?(?:call|use)|function[ _]call|tools\/call|action)(?:\*\*|_|`)?(?:[ \t]*:(?:\*\*)?[ \t]*|[ \t]+))/i;
const CALL_WORD_ALONE =
  /^(?:\*\*|_|`)?(?:\[?tool[ _-]?(?:call|use)\]?|\[?function[ _]call\]?|(?:called|calling|used|using)(?: a| the)? tool|action)(?:\*\*|_|`)?[ \t]*:?(?:\*\*)?[ \t]*$/i;
const RESULT_WORD =
  /^(?:\[(?:tool[ _](?:result|error|output|response)|result|response|output|return|error|observation)\]|[✗✘✖❌]\ufe0f?[ \t]+(?=\S)|(?:\*\*|_|`)?(?:(?:tool|function)[ _-]?(?:result|response|output|error)|result|response|output|observation|error|returned|returns)(?:\*\*|_|`)?(?=[ \t]*(?:[:([{]|from\b|for\b|of[ \t]+[`"]?[\w./-]+[`"]?[ \t]*:|$)|[ \t]+[\w./-]+[ \t]*:))/i;
const SPEAKER =
  /^(?:[^\w\s<>[\]{}()"'`*#|\\/-]{1,4}[ \t]*)?(?:#{1,6}[ \t]*)?(?:\*\*|__)?(user|human|customer|you said|you|me|assistant|agent|ai|bot|model|claude|chatgpt said|chatgpt|gpt|copilot|gemini|system|developer|tool)(?:[ \t]*\([^)\n]{1,60}\))?(?:\*\*|__)?(?:[ \t]*:(?:\*\*|__)?|[>❯»](?![>=]))[ \t]*/i;
const SPEAKER_HEADING =
  /^#{1,6}[ \t]+(?:[^\w\s]{1,4}[ \t]*)?(user|human|assistant|agent|system|tool)[ \t]*$/i;
const FENCE = /^(?:```+|~~~+)[ \t]*([\w+#.-]*)[^`]*$/;
const STRUCTURE =
  /^(?:<\/?(?:details|summary)>.*|<summary>.*<\/summary>|---+|\*\*\*+|===+|```+|~~~+)[ \t]*$/i;

/** Reads stamp and head of a line's body. */
export function readLineHead(body: string): ReadLine {
  // Anything a head needs stands near the beginning.
  const start = body.slice(0, 400);
  const stamp = STAMP.exec(start);
  const stampText = stamp?.[1] ?? stamp?.[2];
  const time = stampText === undefined ? null : readTime(stampText.trim());
  if (time === null) {
    const loose = LOOSE_STAMP.exec(start);
    const looseTime = loose?.[1] === undefined ? null : readTime(loose[1]);
    if (loose !== null && looseTime !== null) {
      const behind = readHead(start, loose[0].length);
      if (behind.head.type !== 'text' && behind.head.type !== 'structure') {
        return { ...behind, time: looseTime };
      }
    }
  }
  const indent = start.length - start.trimStart().length;
  const at = time === null ? indent : (stamp?.[0].length ?? 0);
  return { ...readHead(start, at), time };
}

function readHead(start: string, at: number): { head: LineHead; at: number } {
  const list = LIST_MARK.exec(start.slice(at))?.[0].length ?? 0;
  const from = at + list;
  const head = headOf(start.slice(from), from);
  if (head.type !== 'text') return { head, at: from };
  const prefix = PREFIX.exec(start.slice(from))?.[0].length ?? 0;
  if (prefix === 0) return { head, at: from };
  const behind = headOf(start.slice(from + prefix), from + prefix);
  const isExchange = behind.type === 'call' || behind.type === 'result';
  return { head: isExchange ? behind : head, at: from };
}

const LIST_MARK = /^[-*•][ \t]+(?=[→←⟶]|->|<-|=>|<=|\*\*)/;
const ARROWS = '(?:→|←|⟶|⟵|-->|<--|->|<-|=>|<=)';
/** What loggers, chat apps and people put before a call or result. */
const PREFIX = new RegExp(
  '^(?:(?:[\\p{Extended_Pictographic}\\ufe0f\\u200d]+[ \\t]*)+|' +
    '\\[?(?:INFO|DEBUG|NOTICE|WARN|WARNING|ERROR|TRACE)\\]?[ \\t:|-]+(?:\\[?[\\w./-]{1,40}\\]?:[ \\t]*)?|' +
    `\\[(?:client|server|agent|assistant|tool|host|mcp|user)\\][ \\t]*:?[ \\t]*|` +
    `(?:client|server|agent|assistant|model|tool|host|mcp)[ \\t]*(?=${ARROWS}))`,
  'iu',
);

function headOf(rest: string, at: number): LineHead {
  const arrow = RESULT_ARROW.exec(rest);
  if (arrow !== null) return resultHead(rest, at, arrow[0].length, true);
  const call = CALL_ARROW.exec(rest);
  if (call !== null) return callAfterArrow(rest, at, call[0].length);
  const fence = FENCE.exec(rest);
  if (fence !== null) return { type: 'structure', at, fence: fence[1]?.toLowerCase() ?? '' };
  if (STRUCTURE.test(rest)) return { type: 'structure', at, fence: null };
  const heading = SPEAKER_HEADING.exec(rest);
  const speaker = heading ?? SPEAKER.exec(rest);
  if (speaker !== null) {
    const label = speaker[1] ?? '';
    return { type: 'speaker', at: at + speaker[0].length, who: speakerOf(label), label };
  }
  if (RESULT_WORD.test(rest)) return resultHead(rest, at, 0, false);
  const word = CALL_WORD_ALONE.exec(rest) ?? CALL_WORD.exec(rest);
  if (word !== null) return { type: 'call', at: at + word[0].length, sure: false };
  return { type: 'text', at };
}

/** "→ Calling tool: name" and "→ result: ..." say themselves which way they go. */
function callAfterArrow(rest: string, at: number, length: number): LineHead {
  const behind = rest.slice(length);
  const word = CALL_WORD.exec(behind);
  // `tools/call` stays in: it is a method, and its name may stand in the JSON.
  if (word !== null && !/^tools\/call/i.test(behind)) {
    return { type: 'call', at: at + length + word[0].length, sure: true };
  }
  // A triangle is also what opens a list.
  const sure = !/^[▶►▸⏵]/.test(rest) || /^[\w./-]+[ \t]*[({[]/.test(behind);
  return { type: 'call', at: at + length, sure };
}

function resultHead(rest: string, at: number, length: number, sure: boolean): LineHead {
  const behind = rest.slice(length);
  const word =
    RESULT_WORD.exec(behind)?.[0] ?? /^(?:result|error|response)\b/i.exec(behind)?.[0] ?? '';
  const colon = /^[ \t]*:(?:\*\*)?[ \t]*/.exec(behind.slice(word.length))?.[0].length ?? 0;
  const error = /error|[✗✘✖❌]/i.test(word);
  return { type: 'result', at: at + length + word.length + colon, sure, error };
}

function speakerOf(label: string): Speaker {
  const word = label.toLowerCase();
  if (/^(user|human|customer|you|you said|me)$/.test(word)) return 'user';
  if (/^(system|developer)$/.test(word)) return 'system';
  return word === 'tool' ? 'tool' : 'model';
}
