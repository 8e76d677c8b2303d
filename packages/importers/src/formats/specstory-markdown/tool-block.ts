import type { DocumentLine } from '../../text-document.ts';

/** Offsets in the document's text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A block of the file that shows one call, by its lines. */
export interface ToolBlock {
  readonly name: string;
  /** What the head says behind the name: often a command or a path. */
  readonly about: TextSpan | null;
  readonly from: number;
  readonly to: number;
  /** The first line behind the block. */
  readonly next: number;
  readonly closed: boolean;
  /** Without a frame of its own: what follows belongs to it only as far as it looks like it. */
  readonly isFramed: boolean;
}

type Lines = readonly DocumentLine[];
/** The file as a whole, and its lines. */
export interface HistoryText {
  readonly text: string;
  readonly lines: Lines;
}

const TAG =
  /^<tool-use [^>\n]{0,400}data-tool-name="([^"\n]{1,200})"[^>\n]{0,400}>[ \t]{0,20}(?:<details>)?$/;
const TAG_END = /^(?:<\/details>)?<\/tool-use>$/;
const DETAILS = /^[ \t]{0,20}<details>[ \t]{0,20}$/;
const DETAILS_END = /^[ \t]{0,20}<\/details>[ \t]{0,20}$/;
const SUMMARY = /^[ \t]{0,20}(?:<details>)?<summary>Tool use: \*\*([^*\n]{1,200})\*\*/;
const BARE = /^Tool use: \*\*([^*\n]{1,200})\*\*(?:$|[ \t])/;
const SUMMARY_END = '</summary>';
const MOST_SUMMARY_LINES = 400;

/** The block that begins at a line, in any of the ways in which versions of SpecStory write one; null where none does. */
export function toolBlockAt(
  history: HistoryText,
  at: number,
  isHeading: (body: string) => boolean,
): ToolBlock | null {
  const { lines } = history;
  const body = lines[at]?.body ?? '';
  const tag = TAG.exec(body);
  if (tag !== null) return taggedBlock(history, at, tag[1] ?? '');
  if (SUMMARY.test(body) || (DETAILS.test(body) && SUMMARY.test(lines[at + 1]?.body ?? ''))) {
    return detailsBlock(history, at, isHeading);
  }
  const bare = BARE.exec(body);
  return bare === null ? null : bareBlock(history, at, bare[1] ?? '', isHeading);
}

function taggedBlock(history: HistoryText, start: number, name: string): ToolBlock {
  const { lines } = history;
  let end = start + 1;
  while (end < lines.length && !TAG_END.test(lines[end]?.body ?? '')) end += 1;
  const closed = end < lines.length;
  const hasDetails = DETAILS.test(lines[start + 1]?.body ?? '');
  const head = summaryAt(history, hasDetails ? start + 2 : start + 1, end);
  const isLastDetails = closed && DETAILS_END.test(lines[end - 1]?.body ?? '');
  const to = isLastDetails ? end - 1 : end;
  return {
    name,
    about: head.about,
    from: Math.min(head.next, to),
    to,
    next: closed ? end + 1 : end,
    closed,
    isFramed: true,
  };
}

function detailsBlock(
  history: HistoryText,
  start: number,
  isHeading: (body: string) => boolean,
): ToolBlock {
  const { lines } = history;
  const first = SUMMARY.test(lines[start]?.body ?? '') ? start : start + 1;
  const name = SUMMARY.exec(lines[first]?.body ?? '')?.[1] ?? '';
  const head = summaryAt(history, first, lines.length);
  let end = head.next;
  let fence = '';
  while (end < lines.length) {
    const body = lines[end]?.body ?? '';
    const marks = /^[ \t]{0,20}(`{3,})/.exec(body)?.[1] ?? '';
    if (fence === '' && (DETAILS_END.test(body) || isHeading(body))) break;
    if (fence === '') fence = marks;
    else if (marks.length >= fence.length && body.trim() === marks) fence = '';
    end += 1;
  }
  const closed = DETAILS_END.test(lines[end]?.body ?? '');
  const { about, next: from } = head;
  return { name, about, from, to: end, next: closed ? end + 1 : end, closed, isFramed: true };
}

const LABEL = /^(?:\*\*)?(?:Input|Parameters|Arguments|Output|Result):?(?:\*\*)?:?[ \t]{0,20}$/;
const CODE = /^`[^`].*`$/;

function bareBlock(
  { text, lines }: HistoryText,
  start: number,
  name: string,
  isHeading: (body: string) => boolean,
): ToolBlock {
  let closed = true;
  let to = start + 1;
  for (let at = start + 1; at < lines.length; at += 1) {
    const body = lines[at]?.body ?? '';
    const fence = /^(`{3,})\w*$/.exec(body)?.[1];
    if (fence !== undefined) {
      let close = at + 1;
      // A fence that is not closed yet belongs to the block, as it will once it is.
      while (close < lines.length && lines[close]?.body !== fence) {
        if (isHeading(lines[close]?.body ?? '')) break;
        close += 1;
      }
      closed = lines[close]?.body === fence;
      if (!closed) {
        to = close;
        break;
      }
      at = close;
    } else if (body.trim() === '') continue;
    else if (!LABEL.test(body) && !CODE.test(body)) break;
    to = at + 1;
  }
  const { start: at = 0, end = 0, body = '' } = lines[start] ?? {};
  const from = at + body.indexOf(`**${name}**`) + name.length + 4;
  const about = trimmed(text, { start: from, end });
  return { name, about, from: start + 1, to, next: to, closed, isFramed: false };
}

/** The head, which goes on over lines where a command does. */
function summaryAt(
  { text, lines }: HistoryText,
  at: number,
  end: number,
): { about: TextSpan | null; next: number } {
  const first = lines[at];
  if (first === undefined || at >= end || !/^[ \t]{0,20}(?:<details>)?<summary>/.test(first.body)) {
    return { about: null, next: at };
  }
  let last = at;
  const most = Math.min(end, at + MOST_SUMMARY_LINES);
  while (last < most && !(lines[last]?.body ?? '').includes(SUMMARY_END)) last += 1;
  const closing = lines[last];
  if (last >= most || closing === undefined) return { about: null, next: at + 1 };
  const name = /Tool use: \*\*[^*\n]{1,200}\*\*/.exec(first.body);
  const before = name === null ? first.body.indexOf('<summary>') + 9 : name.index + name[0].length;
  const start = first.start + before;
  const stop = closing.start + closing.body.lastIndexOf(SUMMARY_END);
  return { about: trimmed(text, { start, end: stop }), next: last + 1 };
}

/** Without what frames it: blanks, a bullet, and backticks around all of it. */
function trimmed(whole: string, { start, end }: TextSpan): TextSpan | null {
  const text = whole.slice(start, end);
  const match = /^(?:\s|•)*([\s\S]*?)\s*$/.exec(text);
  const inner = match?.[1] ?? '';
  if (inner === '') return null;
  const from = start + text.indexOf(inner);
  const code = /^`([^`]+)`$/.exec(inner)?.[1];
  return code === undefined
    ? { start: from, end: from + inner.length }
    : { start: from + 1, end: from + 1 + code.length };
}
