/** What a command line of curl says of its request. */
export interface CurlCommand {
  readonly url: string | null;
  readonly method: string | null;
  readonly sessionId: string | null;
  /** The body that it sends, where it stands in the command itself. */
  readonly body: string | null;
  /** Where in the command the body begins, where it stands there as it is sent. */
  readonly bodyAt: number | null;
}

interface Word {
  readonly text: string;
  /** Where it begins, behind its quote. */
  readonly at: number;
  /** False where a shell makes something else of it than what is written. */
  readonly isPlain: boolean;
}

const DATA = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/;

/** Of a command of one line or several. */
export function readCommand(command: string): CurlCommand {
  const words = wordsOf(command);
  let url: string | null = null;
  let method: string | null = null;
  let sessionId: string | null = null;
  let body: Word | null = null;
  for (let index = 1; index < words.length; index += 1) {
    const { text } = words[index] ?? { text: '' };
    const next = words[index + 1];
    const [, name = text, joined] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? [];
    const glued = /^-d(.+)$/s.exec(text)?.[1];
    if (glued !== undefined) {
      body ??= { text: glued, at: 0, isPlain: false };
      continue;
    }
    if (DATA.test(name)) {
      body ??= joined === undefined ? (next ?? null) : { text: joined, at: 0, isPlain: false };
    } else if (/^(?:-X|--request)$/.test(name)) method = (joined ?? next?.text ?? '') || null;
    else if (/^(?:-H|--header)$/.test(name)) {
      const session = /^mcp-session-id:\s*(.*)$/i.exec(joined ?? next?.text ?? '');
      sessionId ??= session?.[1]?.trim() ?? null;
    } else if (/^https?:\/\//i.test(text)) {
      url ??= text;
      continue;
    } else continue;
    if (joined === undefined) index += 1;
  }
  return {
    url,
    method: method ?? (body === null ? null : 'POST'),
    sessionId,
    body: body?.text ?? null,
    bodyAt: body?.isPlain === true ? body.at : null,
  };
}

/** As browsers copy a request with an apostrophe or a `!` in it. */
const DOLLAR_QUOTED = /^\$'((?:[^\\']|\\.)*)'/s;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (_whole, unit: string | undefined, byte: string | undefined, other = '') => {
      const code = unit ?? byte;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return ESCAPED[other] ?? other;
    },
  );
}

/** True where a shell would go on reading in the next line. */
export function goesOn(pasted: string): boolean {
  const command = pasted.replace(/(?<=\s)\$'(?:[^\\']|\\.)*'/gs, '');
  if (/\\\s*$/.test(command)) return true;
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === '\\' && quote !== "'") at += 1;
    else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** By the rules of a POSIX shell, as far as commands that are pasted need them. */
function wordsOf(command: string): Word[] {
  const words: Word[] = [];
  let text = '';
  let begin = -1;
  let quote = '';
  let isPlain = true;
  const end = (): void => {
    if (begin >= 0) words.push({ text, at: begin, isPlain });
    text = '';
    begin = -1;
    isPlain = true;
  };
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (quote === '' && begin < 0 && command.startsWith("$'", index)) {
      const [told = '', inner = ''] = DOLLAR_QUOTED.exec(command.slice(index)) ?? ["$'"];
      begin = index;
      text = unescaped(inner);
      isPlain = false;
      index += told.length - 1;
    } else if (quote !== '' && character === quote) {
      quote = '';
      // What follows a quote directly would go on behind it.
      if (/\S/.test(command.charAt(index + 1))) isPlain = false;
    } else if (character === '\\' && quote !== "'") {
      const next = command.charAt(index + 1);
      const isKept = quote === '"' && !/["\\$`\n]/.test(next);
      if (begin < 0 && next !== '\n' && next !== '\r') begin = index;
      text += isKept ? `\\${next}` : /[\r\n]/.test(next) ? '' : next;
      isPlain &&= isKept || begin < 0;
      index += next === '\r' && command.charAt(index + 2) === '\n' ? 2 : 1;
    } else if (quote === '' && (character === "'" || character === '"')) {
      if (begin >= 0) isPlain = false;
      else begin = index + 1;
      quote = character;
    } else if (quote === '' && /\s/.test(character)) end();
    else {
      if (begin < 0) begin = index;
      text += character;
    }
  }
  end();
  return words;
}
