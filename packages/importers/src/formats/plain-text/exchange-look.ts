const NAME = '[A-Za-z_$][\\w$]{0,60}(?:[./-][\\w$]{1,60}){0,6}';
const JSON_BEGINS = '(?:\\{[ \\t]{0,4}["“\'&}]|\\[[ \\t]{0,4}["“{\\]])';
const LEAD = '^[^"“{}]{0,60}?';
const ARROW_CALL = new RegExp(
  `${LEAD}(?:→|⟶|➜|➔|⇒|▶|►|-->|->|=>|>>>)[ \\t]{0,4}(?:[\\w.'-]{1,40}[ \\t]{1,4}){0,3}${NAME}[ \\t]{0,4}\\(?[ \\t]{0,4}${JSON_BEGINS}`,
  'u',
);
const ARROW_JSON = new RegExp(
  `${LEAD}(?:→|⟶|▶|►|-->|->|=>|>>>|←|⟵|◀|◄|<--|<-|<=)[ \\t]{0,4}(?:\\{[ \\t]{0,4}["“&]|\\[[ \\t]{0,4}\\{)`,
  'u',
);
const WORD_CALL = new RegExp(
  `${LEAD}\\b(?:calling|called|invoking|invoked|tool[ _-]call|call tool|function call)\\b[\\])*:]{0,3}[ \\t]{1,4}(?:the[ \\t])?(?:tool[ \\t])?[\`"*]{0,2}${NAME}[\`"*]{0,2}[ \\t]{0,4}(?:with[ \\t]{1,4})?(?:args|arguments|params|input)?[ \\t:=(]{0,4}${JSON_BEGINS}`,
  'iu',
);

const WORD_RESULT = new RegExp(
  `^[ \\t]*[[*]{0,2}(?:tool[ _-]?|function[ _-]?)?(?:result|response|output|observation)\\b[^"“{}\\n]{0,60}?[:\\]][ \\t*]{0,6}${JSON_BEGINS}`,
  'iu',
);
/** Quoted within a text that isn't quoted as a whole: somebody else's words. */
const QUOTATION = /^[ \t]*>(?!>>)/;

/**
 * Does a line have what makes a call or a result: an arrow or a word for it, and JSON? Such a line
 * that could not be read is told as not understood, never passed off as words.
 */
export function looksLikeExchange(body: string): boolean {
  if (QUOTATION.test(body)) return false;
  const start = body.slice(0, 400);
  return [ARROW_CALL, ARROW_JSON, WORD_CALL, WORD_RESULT].some((look) => look.test(start));
}
