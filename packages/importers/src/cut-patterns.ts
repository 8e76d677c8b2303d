import type { Elision } from '@misstep/model';

/** How a program says in a text that it cut it. */
export interface CutPattern {
  /** Anchored and bounded: a file that talks of cuts isn't one, and hostile text costs linear time. */
  readonly pattern: RegExp;
  readonly kind: Elision['kind'];
  /** The group that says how much is missing; 0 = it isn't said; 'each' = as many as there are marks. */
  readonly countGroup: number | 'each';
  /** The group that says how much there was, where the one above says how much is left. */
  readonly ofGroup?: number;
}

const CLAUDE_CODE: readonly CutPattern[] = [
  {
    pattern: /^\s*<persisted-output>\s*Output too large \([^)\n]{1,40}\)[^\n]{0,400}/,
    kind: 'bytes',
    countGroup: 0,
  },
  { pattern: /^\.{3} \[(\d{1,9}) lines truncated\] \.{3}$/m, kind: 'lines', countGroup: 1 },
  { pattern: /^\(Results are truncated\.[^)\n]{0,200}\)/m, kind: 'lines', countGroup: 0 },
  {
    pattern: /^\.{3} \[(\d{1,9}) characters truncated\] \.{3}$/m,
    kind: 'characters',
    countGroup: 1,
  },
  {
    // Behind the file and the line where it stands, which is no sentence.
    pattern: /^(?:[^\n]{0,300}?(?:^|[:-])\d{1,9}[:-])?\[Omitted long (?:matching|context) line\]$/m,
    kind: 'lines',
    countGroup: 'each',
  },
  { pattern: /^\[Truncated\. Full output: [^\]\n]{1,400}\]$/m, kind: 'tail', countGroup: 0 },
  {
    pattern:
      /^(?:Error: |<tool_use_error>)?File content \(([\d,]{1,15}) tokens\) exceeds maximum allowed [^\n]{0,80}/,
    kind: 'tokens',
    countGroup: 1,
  },
  {
    pattern:
      /^(?:Error: |<tool_use_error>)?File content \([\d.,]{1,15} ?[KMG]?B\) exceeds maximum allowed [^\n]{0,80}/i,
    kind: 'value',
    countGroup: 0,
  },
  {
    pattern:
      /^(?:Error: )?MCP tool "[^"\n]{1,200}" response \(([\d,]{1,15}) tokens\) exceeds maximum/,
    kind: 'tokens',
    countGroup: 1,
  },
  {
    pattern: /^(?:Error: )?result \(([\d,]{1,15}) characters\) exceeds maximum allowed tokens/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /^\[Content truncated due to length\.{3}\]$/m,
    kind: 'tail',
    countGroup: 0,
  },
  { pattern: /^\[Truncated: PARTIAL view [^\]\n]{0,300}\]/m, kind: 'lines', countGroup: 0 },
];

/**
 * Codex puts some of its marks in the middle of a line; one in quotes is what somebody says. A quote
 * at one side alone may be where the cut fell.
 */
const CODEX: readonly CutPattern[] = [
  {
    pattern: /^\[\.{3} omitted (\d{1,12}) of \d{1,12} lines \.{3}\]$/m,
    kind: 'lines',
    countGroup: 1,
  },
  {
    pattern:
      /\u2026(\d{1,12}) tokens truncated\u2026(?!(?<=[`"'\u201c\u2018(]\u2026\d{1,12} tokens truncated\u2026)[`"'\u201d\u2019)])/,
    kind: 'tokens',
    countGroup: 1,
  },
  {
    pattern:
      /\u2026(\d{1,12}) chars truncated\u2026(?!(?<=[`"'\u201c\u2018(]\u2026\d{1,12} chars truncated\u2026)[`"'\u201d\u2019)])/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /^\[\.{3} output truncated to fit \d{1,12} bytes \.{3}\]$/m,
    kind: 'bytes',
    countGroup: 0,
  },
];

const GEMINI_CLI: readonly CutPattern[] = [
  {
    pattern: /^Tool output was too large and has been truncated\b[^\n]{0,200}/m,
    kind: 'lines',
    countGroup: 0,
  },
  {
    pattern: /^Output too large\. Showing (?:the )?(?:first|last)\b[^\n]{0,200}/m,
    kind: 'characters',
    countGroup: 0,
  },
  { pattern: /^\[File content truncated:[^\]\n]{0,200}\]/m, kind: 'lines', countGroup: 0 },
  {
    pattern:
      /^IMPORTANT: The file content has been truncated\.\s{1,4}Status: Showing lines \d{1,12}-\d{1,12} of \d{1,12} total lines/m,
    kind: 'lines',
    countGroup: 0,
  },
];

const CLINE_AND_ROO: readonly CutPattern[] = [
  { pattern: /^\[\.\.\.(\d{1,12}) lines omitted\.\.\.\]$/m, kind: 'lines', countGroup: 1 },
  {
    pattern: /^\[\.\.\.(\d{1,12}) characters omitted\.\.\.\]$/m,
    kind: 'characters',
    countGroup: 1,
  },
  { pattern: /^\(File list truncated\. [^)\n]{0,200}\)/m, kind: 'lines', countGroup: 0 },
  {
    pattern: /^Showing first \d{1,9} of \d{1,9}\+? results\. Use a more specific search/m,
    kind: 'items',
    countGroup: 0,
  },
  {
    pattern: /^Showing only (\d{1,12}) of (\d{1,12}) total lines\./m,
    kind: 'lines',
    countGroup: 1,
    ofGroup: 2,
  },
];

const OPENCODE: readonly CutPattern[] = [
  {
    pattern: /^bash tool truncated output as it exceeded \d{1,12} char limit$/m,
    kind: 'characters',
    countGroup: 0,
  },
  {
    pattern: /^\.{3}(\d{1,12}) (?:lines|bytes) truncated\.{3}\n\n(?=The tool call succeeded but)/m,
    kind: 'tail',
    countGroup: 0,
  },
  {
    pattern: /^\((?:File has more lines\.|Output capped at|Output truncated at) [^)\n]{0,200}\)$/m,
    kind: 'tail',
    countGroup: 0,
  },
];

const EDITORS: readonly CutPattern[] = [
  // Cursor and VS Code put a large answer in a file.
  {
    pattern:
      /^Large (?:output has been|tool result \([^)\n]{1,20}\)) written to(?: file\.|:)[^\n]{0,400}/,
    kind: 'value',
    countGroup: 0,
  },
  {
    pattern: /^\[\.{3} PREVIOUS OUTPUT TRUNCATED \.{3}\]$/m,
    kind: 'characters',
    countGroup: 0,
  },
  {
    pattern: /^\[File content truncated at line \d{1,12}\. [^\]\n]{0,200}\]$/m,
    kind: 'lines',
    countGroup: 0,
  },
];

/** Goose puts a large answer in a file and says so in its place. */
const GOOSE: readonly CutPattern[] = [
  {
    pattern: /^The response returned from the tool call was larger \((\d{1,12}) characters\)/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern:
      /^NOTE: Command output was (\d{1,12}) lines and we are showing only the last \d{1,12} lines/m,
    kind: 'lines',
    countGroup: 0,
  },
  {
    pattern:
      /^private note: output was \d{1,12} lines and we are only showing the most recent lines/m,
    kind: 'lines',
    countGroup: 0,
  },
];

/** What servers and programs of their own write. */
const TOOLS: readonly CutPattern[] = [
  {
    pattern:
      /^<error>Content truncated\. Call the fetch tool with a start_index of \d{1,12} to get more content\.<\/error>$/m,
    kind: 'tail',
    countGroup: 0,
  },
  {
    pattern: /^\[Output truncated - \d{1,12} lines total, showing (?:first|last) \d{1,12}\]$/m,
    kind: 'lines',
    countGroup: 0,
  },
  {
    pattern: /^Output truncated \(\d{1,9} ?[KM]?B limit\)\. Full output saved to [^\n]{1,400}$/m,
    kind: 'bytes',
    countGroup: 0,
  },
  // A hook's, whose line ends may be written out.
  {
    pattern: /^\[Output truncated: showing (\d{1,12}) of (\d{1,12}) lines\](?:\\n|$)/m,
    kind: 'lines',
    countGroup: 1,
    ofGroup: 2,
  },
  // Only where the text ends with it.
  {
    pattern: /(?:\.{3}|\u2026) ?(?:\[truncated\]|\(truncated\))\s{0,4}$/,
    kind: 'tail',
    countGroup: 0,
  },
];

/** Agents that keep their conversation as messages of a model's API. */
const AGENTS: readonly CutPattern[] = [
  // SWE-agent says how much; its edit tool, and those modelled on it, don't.
  {
    pattern:
      /<response clipped>\n?<NOTE>Observations should not exceeded? \d{1,12} characters\. (\d{1,12}) characters were elided(?:[^<]{0,400}<\/NOTE>(?![`"'\\])|[^<]{0,400}$)/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    // One in a string of a program is what that program would say.
    pattern:
      /<response clipped>\n?<NOTE>(?!Observations should)[^<]{0,400}(?:<\/NOTE>(?![`"'\\])|$)/,
    kind: 'tail',
    countGroup: 0,
  },
  // What SWE-agent puts in place of results that the model has seen long ago.
  {
    pattern: /^Old environment output: \((\d{1,12}) lines omitted\)$/,
    kind: 'lines',
    countGroup: 1,
  },
  {
    pattern: /<elided_chars>\s{0,10}(\d{1,12}) characters elided\s{0,10}<\/elided_chars>/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /^\[\.\.\. Observation truncated due to length \.\.\.\]$/m,
    kind: 'characters',
    countGroup: 0,
  },
  {
    pattern: /^\.\._This content has been truncated to stay below \d{1,12} characters_\.\.$/m,
    kind: 'characters',
    countGroup: 0,
  },
];

/** A line that is nothing but a mark, as many programs write it. */
const ALIKE: readonly CutPattern[] = (['lines', 'characters', 'bytes', 'tokens'] as const).map(
  (kind) => ({
    pattern: new RegExp(
      `^ {0,3}(?:(?:\\.{3}|\\u2026) ?[[(]?|[[(](?:\\.{3}|\\u2026)? ?)([\\d,]{1,15}) (?:more )?${kind === 'characters' ? '(?:characters|chars)' : kind} (?:truncated|omitted|elided)(?: ?(?:\\.{3}|\\u2026))?(?:[\\])] ?)?(?:\\.{3}|\\u2026)?$`,
      'm',
    ),
    kind,
    countGroup: 1,
  }),
);

/** What clients write where they cut what a tool answered, the particular before the general. */
export const CLIENT_CUTS: readonly CutPattern[] = [
  ...CLAUDE_CODE,
  ...CODEX,
  ...GEMINI_CLI,
  ...CLINE_AND_ROO,
  ...OPENCODE,
  ...EDITORS,
  ...GOOSE,
  ...AGENTS,
  ...TOOLS,
  ...ALIKE,
];

/** No text without one of these words holds a mark. */
export const MAY_BE_CUT =
  /truncat|omit|elided|clipped|exceed|too large|larger \(|capped|more lines|only showing|Showing|written to/i;
