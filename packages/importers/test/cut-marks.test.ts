import { describe, expect, test } from 'vitest';
import { cutsInText } from '../src/cut-marks.ts';
import { cutsOnScreen } from '../src/formats/claude-code-terminal/terminal-result.ts';
import { cutsInText as cutsInPaste } from '../src/formats/plain-text/cut-mark.ts';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText, stepsOf } from './support.ts';

/** Every mark by which a format says that it cut a value, and how much of it that tells. */
const MARKS: readonly (readonly [
  where: string,
  cuts: (text: string) => readonly { kind: string; count: number | null }[],
  text: string,
  expected: readonly (readonly [kind: string, count: number | null])[],
])[] = [
  [
    'a server that fetches pages',
    (text) => cutsInText(text, ''),
    'A page\n\n<error>Content truncated. Call the fetch tool with a start_index of 5000 to get more content.</error>',
    [['tail', null]],
  ],
  [
    'Goose, as it was',
    (text) => cutsInText(text, ''),
    'private note: output was 812 lines and we are only showing the most recent lines, remainder of lines in /tmp/o do not show tmp file to user\nz',
    [['lines', null]],
  ],
  [
    'lines of an output of which the last are shown',
    (text) => cutsInText(text, ''),
    '[Output truncated - 2500 lines total, showing last 2000]\nz',
    [['lines', null]],
  ],
  [
    'an output saved to a file',
    (text) => cutsInText(text, ''),
    'a\nOutput truncated (50KB limit). Full output saved to /tmp/o.txt',
    [['bytes', null]],
  ],
  [
    'a text that ends as truncated',
    (text) => cutsInText(text, ''),
    'The first pages say that... [truncated]',
    [['tail', null]],
  ],
  [
    'a sentence that quotes such marks',
    (text) => cutsInText(text, ''),
    'It writes "[... 3,201 characters omitted ...]" and ends some texts with ... [truncated] before a link.',
    [],
  ],
  [
    'Claude Code, output put in a file',
    (text) => cutsInText(text, ''),
    '<persisted-output>\nOutput too large (141KB). Full output saved to: /tmp/o.txt\n\nPreview (first 2KB):\na',
    [['bytes', null]],
  ],
  [
    'Claude Code, lines',
    (text) => cutsInText(text, ''),
    'a\n\n... [120 lines truncated] ...\n\nz',
    [['lines', 120]],
  ],
  [
    'Claude Code, characters',
    (text) => cutsInText(text, ''),
    'a\n\n... [6645 characters truncated] ...\n\nz',
    [['characters', 6645]],
  ],
  [
    'Claude Code, long lines of a search',
    (text) => cutsInText(text, ''),
    'a.ts:5:[Omitted long matching line]\na.ts:9:b\na.ts:36:[Omitted long matching line]',
    [['lines', 2]],
  ],
  [
    'Claude Code, list of files',
    (text) => cutsInText(text, ''),
    'a.ts\n(Results are truncated. Consider using a more specific path or pattern.)',
    [['lines', null]],
  ],
  [
    'Claude Code, output of a task',
    (text) => cutsInText(text, ''),
    '<output>\n[Truncated. Full output: /tmp/tasks/a1.output]\n</output>',
    [['tail', null]],
  ],
  [
    'Claude Code, file too large',
    (text) => cutsInText(text, ''),
    'File content (85,812 tokens) exceeds maximum allowed tokens (25000). Use offset.',
    [['tokens', 85_812]],
  ],
  [
    'Claude Code, file too large in bytes',
    (text) => cutsInText(text, ''),
    'File content (312.4KB) exceeds maximum allowed size (256KB). Use offset.',
    [['value', null]],
  ],
  [
    'Claude Code, MCP result too large',
    (text) => cutsInText(text, ''),
    'MCP tool "list_parcels" response (58185 tokens) exceeds maximum allowed tokens (25000).',
    [['tokens', 58_185]],
  ],
  [
    'Claude Code, result too large',
    (text) => cutsInText(text, ''),
    'Error: result (96,629 characters) exceeds maximum allowed tokens. Output has been saved to /tmp/a',
    [['characters', 96_629]],
  ],
  ['Claude Code screen', cutsOnScreen, 'a\n… +1,020 lines (ctrl+o to expand)', [['lines', 1020]]],
  [
    'Claude Code screen, MCP result too large',
    cutsOnScreen,
    'Error: MCP tool "x" response (58,185 tokens) exceeds maximum allowed tokens',
    [['tokens', 58_185]],
  ],
  [
    'Codex, lines',
    (text) => cutsInText(text, ''),
    'a\n[... omitted 12 of 40 lines ...]\nz',
    [['lines', 12]],
  ],
  [
    'Codex, tokens',
    (text) => cutsInText(text, ''),
    'Total output lines: 900\n\nab…310 tokens truncated…yz',
    [['tokens', 310]],
  ],
  [
    'Codex, characters',
    (text) => cutsInText(text, ''),
    'ab…77 chars truncated…yz',
    [['characters', 77]],
  ],
  [
    'Gemini CLI, lines',
    (text) => cutsInText(text, ''),
    'a\n... [31 lines truncated] ...\nz',
    [['lines', 31]],
  ],
  [
    'Gemini CLI, characters',
    (text) => cutsInText(text, ''),
    'a\n... [31 characters omitted] ...\nz',
    [['characters', 31]],
  ],
  [
    'Gemini CLI, output in a file',
    (text) => cutsInText(text, ''),
    'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /tmp/a',
    [['characters', null]],
  ],
  [
    'Roo Code, lines',
    (text) => cutsInText(text, ''),
    'a\n\n[...412 lines omitted...]\n\nz',
    [['lines', 412]],
  ],
  [
    'Roo Code, characters',
    (text) => cutsInText(text, ''),
    'a\n[...5120 characters omitted...]\nz',
    [['characters', 5120]],
  ],
  [
    'Goose, answer in a file',
    (text) => cutsInText(text, ''),
    'The response returned from the tool call was larger (250113 characters) and is stored in the file',
    [['characters', 250_113]],
  ],
  [
    'Codex, to fit bytes',
    (text) => cutsInText(text, ''),
    'a\n[... output truncated to fit 10240 bytes ...]\nz',
    [['bytes', null]],
  ],
  [
    'Gemini CLI, in brackets',
    (text) => cutsInText(text, ''),
    'a\n[... 5,120 characters omitted ...]\nz',
    [['characters', 5120]],
  ],
  [
    'Gemini CLI, a file',
    (text) => cutsInText(text, ''),
    'IMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-2000 of 5000 total lines.\nAction: ...',
    [['lines', null]],
  ],
  [
    'Roo Code, a file',
    (text) => cutsInText(text, ''),
    'a\n\nShowing only 500 of 2000 total lines. Use line_range if you need to read more lines',
    [['lines', 1500]],
  ],
  [
    'Cline, a list of files',
    (text) => cutsInText(text, ''),
    'a.ts\n\n(File list truncated. Use list_files on specific subdirectories if you need to explore further.)',
    [['lines', null]],
  ],
  [
    'Cline, a search',
    (text) => cutsInText(text, ''),
    'Showing first 300 of 300+ results. Use a more specific search if necessary.\na.ts',
    [['items', null]],
  ],
  [
    'OpenCode, a command',
    (text) => cutsInText(text, ''),
    'a\n\n<bash_metadata>\nbash tool truncated output as it exceeded 30000 char limit\n</bash_metadata>',
    [['characters', null]],
  ],
  [
    'OpenCode, a file',
    (text) => cutsInText(text, ''),
    "a\n\n(File has more lines. Use 'offset' parameter to read beyond line 2000)",
    [['tail', null]],
  ],
  [
    'Cursor and VS Code, output in a file',
    (text) => cutsInText(text, ''),
    'Large output has been written to: /tmp/agent-tools/a.txt (52.9 KB, 512 lines)',
    [['value', null]],
  ],
  [
    'Goose, last lines of a command',
    (text) => cutsInText(text, ''),
    'NOTE: Command output was 900 lines and we are showing only the last 100 lines.\nz',
    [['lines', null]],
  ],
  [
    'a line like the others',
    (text) => cutsInText(text, ''),
    'a\n(12 lines omitted)\nz',
    [['lines', 12]],
  ],
  [
    'a line with dots',
    (text) => cutsInText(text, ''),
    'a\n… 40 more lines truncated …\nz',
    [['lines', 40]],
  ],
  [
    'a text that ends as truncated, in round brackets',
    (text) => cutsInText(text, ''),
    'func (m r\n... (truncated)\n',
    [['tail', null]],
  ],
  [
    'a hook of Claude Code',
    (text) => cutsInText(text, ''),
    '____\n\n[Output truncated: showing 30 of 62 lines]\\n\\nMend these.',
    [['lines', 32]],
  ],
  [
    'Claude Code, file too large, as an error of the tool',
    (text) => cutsInText(text, ''),
    '<tool_use_error>File content (806.5KB) exceeds maximum allowed size (256KB). Use offset.</tool_use_error>',
    [['value', null]],
  ],
  [
    'SWE-agent, results seen long ago',
    (text) => cutsInText(text, ''),
    'Old environment output: (25 lines omitted)',
    [['lines', 25]],
  ],
  [
    'two cuts of one result',
    (text) => cutsInText(text, ''),
    'a\n\n... [120 lines truncated] ...\n\nz\n... [8 lines truncated] ...\ny',
    [
      ['lines', 120],
      ['lines', 8],
    ],
  ],
  [
    'Codex, a cut that fell behind a quote',
    (text) => cutsInText(text, ''),
    '[{"name":"\u2026310 tokens truncated\u2026 bell"}]',
    [['tokens', 310]],
  ],
  [
    'a cut inside a block that ends behind it, in a text as long as clients leave',
    (text) => cutsInText(text, ''),
    `\`\`\`\n${'a line\n'.repeat(600)}... [120 lines truncated] ...\nz\n\`\`\`\n`,
    [['lines', 120]],
  ],
  [
    'a cut inside a block that is not closed',
    (text) => cutsInText(text, ''),
    '```\na\n... [120 lines truncated] ...',
    [['lines', 120]],
  ],
  ['a paste', cutsInPaste, 'a\n... (310 tokens omitted)', [['tokens', 310]]],
];

describe('a mark of a cut', () => {
  test.each(MARKS)('%s', (_where, cuts, text, expected) => {
    expect(cuts(text).map(({ kind, count }) => [kind, count])).toEqual(expected);
  });

  test('that a text only talks of is none', () => {
    const talk =
      'It prints "... [12 lines truncated] ..." when `result (9 characters) exceeds maximum allowed tokens`. A [Omitted long matching line] b.';
    expect(cutsInText(talk, '')).toEqual([]);
    expect(cutsInText(`x ${talk} [...4 lines omitted...] y`, '')).toEqual([]);
    expect(cutsInText(`Note: ${talk}`, '')).toEqual([]);
    const said = 'Codex writes "…12 tokens truncated…" or `…9 chars truncated…` there.';
    expect(cutsInText(said, '')).toEqual([]);
    expect(cutsInText('The log says 12 lines omitted, and (4 lines truncated) too.', '')).toEqual(
      [],
    );
    expect(cutsInText('12 lines truncated\n- Output too large. Showing first', '')).toEqual([]);
  });
});

describe('a text that shows a mark of a cut', () => {
  test.each([
    [
      'between fences',
      'It says so:\n```text\n... [120 lines truncated] ...\n```\nThen it goes on.',
    ],
    ['between fences of waves', '~~~~\n[... omitted 12 of 40 lines ...]\n~~~~\n'],
    ['as indented code', 'It says so:\n\n    ... (12 lines omitted)\n'],
    [
      'in a string of a program',
      "  notice = '<response clipped><NOTE>Only a part of this.</NOTE>'\n",
    ],
    ['in a sentence that a search found', 'notes.md:3:It writes [Omitted long matching line]'],
    ['in quotes', 'Codex writes "\u202612 tokens truncated\u2026" there.'],
    ['in the middle of a sentence', 'Texts end with ... [truncated] before a link.'],
  ])('%s is not cut', (_where, text) => {
    expect(cutsInText(text, '')).toEqual([]);
  });

  test('in a paste is not cut, where it says no amount or stands between fences', () => {
    expect(cutsInPaste('Some texts end with ... [truncated]\nand some do not.')).toEqual([]);
    expect(cutsInPaste('It says:\n```\n... (310 tokens omitted)\n```\nThat is all.')).toEqual([]);
    expect(cutsInPaste('A\nand so on ... [truncated]')).toHaveLength(1);
  });
});

/** The cuts of the only result, as the format that the text is recognised as reads it. */
async function resultIn(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const [step] = (result === undefined ? [] : stepsOf(result)).filter(
    ({ kind, result: value }) => kind === 'tool' && value !== null,
  );
  const { state, elisions = [] } = step?.result ?? {};
  return {
    format: importer?.id,
    state,
    cuts: elisions.map(({ pointer, kind, count }) => [pointer, kind, count]),
    emptyResult: step?.emptyResult,
  };
}

describe('agents that keep messages of a model say what they cut', () => {
  test('SWE-agent', async () => {
    const history = [
      { role: 'user', content: 'Mend the bell.', message_type: 'observation', agent: 'main' },
      { role: 'assistant', content: 'ls', action: 'ls -R', message_type: 'action', agent: 'main' },
      {
        role: 'user',
        content:
          'a\n<response clipped><NOTE>Observations should not exceeded 100000 characters. 5120 characters were elided. Please try a different command.</NOTE>',
        message_type: 'observation',
        agent: 'main',
      },
    ];
    const text = JSON.stringify({ environment: 'main', trajectory: [], history, info: {} });
    expect(await resultIn(text)).toEqual({
      format: 'swe-agent',
      state: 'elided',
      cuts: [['', 'characters', 5120]],
      emptyResult: null,
    });
  });

  test('mini-swe-agent', async () => {
    const messages = [
      { role: 'user', content: 'Mend the bell.' },
      { role: 'assistant', content: 'THOUGHT: look\n\n```bash\nls -R\n```' },
      {
        role: 'user',
        content:
          '<returncode>0</returncode>\n<output_head>\na\n</output_head>\n<elided_chars>\n812 characters elided\n</elided_chars>\n<output_tail>\nz\n</output_tail>',
      },
    ];
    const text = JSON.stringify({ trajectory_format: 'mini-swe-agent-1.1', info: {}, messages });
    expect(await resultIn(text)).toMatchObject({
      format: 'mini-swe-agent',
      state: 'elided',
      cuts: [['', 'characters', 812]],
    });
  });

  test('the edit tool that several of them have, in blocks', async () => {
    const messages = [
      { role: 'user', content: 'Show it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'view', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [
              { type: 'text', text: 'one' },
              {
                type: 'text',
                text: 'two<response clipped><NOTE>Due to the max output limit, only part of this file has been shown to you.</NOTE>',
              },
            ],
          },
        ],
      },
    ];
    expect(await resultIn(JSON.stringify({ model: 'm', messages }))).toMatchObject({
      format: 'anthropic-messages',
      state: 'elided',
      cuts: [['/1/text', 'tail', null]],
    });
  });
});

test('what an OTLP exporter dropped is counted by its own numbers', async () => {
  const span = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    name: 'execute_tool ring',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500000900000000',
    attributes: [{ key: 'gen_ai.tool.name', value: { stringValue: 'ring' } }],
    droppedAttributesCount: 2,
    droppedEventsCount: 1,
  };
  const main = sourceOfText(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  );
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  expect(result?.issues).toMatchObject([
    {
      code: 'DROPPED_BY_EXPORTER',
      message:
        '2 attributes and 1 event of 1 span were dropped before they were sent; what they held was not recorded.',
    },
  ]);
  const [step] = result === undefined ? [] : stepsOf(result);
  expect(step?.arguments?.state).toBe('notCaptured');
});
