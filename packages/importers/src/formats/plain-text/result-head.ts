// How a result says whose it is. Every quantifier is bounded: hostile text costs linear time.

const NAME = '[A-Za-z_$][\\w$]{0,100}(?:[./-][\\w$]{1,100}){0,8}';
const SEPARATOR = '[ \\t]*(?:(?::|->|→|=>|=)[ \\t]*)?';
const HINT = new RegExp(
  `^[ \\t]*(?:(?:from|for|of)[ \\t]+)?(?:the[ \\t]+)?(?:tools?(?:/call)?[ \\t]+)?[\`("[*]{0,4}(${NAME})[\`)"\\]*]{0,4}${SEPARATOR}`,
);
/** Only a head stands like this, whether or not a call waits for it. */
const EXPLICIT = new RegExp(
  `^[ \\t]*(?:(?:from|for|of)[ \\t]+(?:the[ \\t]+)?(?:tool[ \\t]+)?[\`"]?|(\\([\`"]?))(${NAME})[\`)"]{0,2}[ \\t]*:[ \\t]*`,
);
const ORDINAL =
  /^(?:[ \t]*(?:(?:of|for|from)[ \t]+)?(?:\([ \t]*(?:call|step)?|call|step|#)[ \t]*#?(\d{1,6})[ \t]*\)?|[ \t]+(\d{1,6}))[ \t]*:(?!\d)[ \t]*/i;
const NAMED_LINE = new RegExp(
  `^(?:\\*\\*|\`)?(${NAME})(?:\\*\\*|\`)?(?:[ \\t]*(?:→|->|=>|←|<-|<=)[ \\t]*|[ \\t]+(?:tool[ \\t]+)?(result|response|output|returned|returns|error|failed)\\b(?:[ \\t]*:[ \\t]*|[ \\t]+(?=[{[])))`,
  'i',
);

export interface ResultHead {
  /** A tool's name that calls wait by; null = none. */
  readonly name: string | null;
  /** Which call of the transcript, counted from 1; null = it doesn't say. */
  readonly ordinal: number | null;
  /** The name that it gives where no call waits by it. */
  readonly stranger: string | null;
  /** Characters that the head takes. */
  readonly length: number;
}

/** What the calls so far are called. */
export interface CallNames {
  isOpen(name: string): boolean;
  isKnown(name: string): boolean;
}

/** Reads whose result follows, from behind the arrow or word that announces a result. */
export function readResultHead(text: string, names: CallNames): ResultHead {
  const nothing = { name: null, ordinal: null, stranger: null, length: 0 };
  const start = text.slice(0, 400);
  const hint = HINT.exec(start);
  if (hint?.[1] !== undefined && names.isOpen(hint[1])) {
    return { ...nothing, name: hint[1], length: hint[0].length };
  }
  const ordinal = ORDINAL.exec(start);
  const digits = ordinal?.[1] ?? ordinal?.[2];
  if (ordinal !== null && digits !== undefined) {
    return { ...nothing, ordinal: Number(digits), length: ordinal[0].length };
  }
  const explicit = EXPLICIT.exec(start);
  const stranger = explicit?.[2];
  if (explicit === null || stranger === undefined) return nothing;
  const isTool = explicit[1] !== undefined && /[./_-]/.test(stranger);
  if (!isTool && !names.isKnown(stranger)) return nothing;
  return { ...nothing, stranger, length: explicit[0].length };
}

/** "NAME result: ..." and "NAME → ...", where the name is first on the line; null = another line. */
export function readNamedLine(
  text: string,
): { readonly name: string; readonly length: number; readonly error: boolean } | null {
  const match = NAMED_LINE.exec(text.slice(0, 400));
  if (match?.[1] === undefined) return null;
  const error = /error|failed/i.test(match[2] ?? '');
  return { name: match[1], length: match[0].length, error };
}
