import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { FIXTURES_FOLDER } from '../test/support.ts';

// Databases aren't written by hand, so their fixtures are written by this script.

type Value = string | number | bigint | null | Buffer;

function write(
  path: string,
  schema: string,
  rows: Record<string, readonly (readonly Value[])[]>,
): Buffer {
  const file = join(FIXTURES_FOLDER, path);
  mkdirSync(join(file, '..'), { recursive: true });
  rmSync(file, { force: true });
  const database = new Sqlite(':memory:');
  // Small pages, so that long values go over several of them.
  database.pragma('page_size = 1024');
  database.exec(schema);
  for (const [table, each] of Object.entries(rows)) {
    for (const row of each) {
      const marks = row.map(() => '?').join(', ');
      database.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...row);
    }
  }
  const bytes = database.serialize();
  writeFileSync(file, bytes);
  database.close();
  return bytes;
}

const json = (value: unknown): string => JSON.stringify(value);
const AT_MS = Date.UTC(2026, 10, 23, 9, 0);
const LONG = Array.from({ length: 90 }, (_each, row) => `bay ${row + 1}: 4 hubs`).join('\n');

// Cursor

const KEY_VALUE =
  'CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)';

const cursor = write('cursor-database/depot.vscdb', KEY_VALUE, {
  cursorDiskKV: [
    ['checkpointId:c-depot:1', json({ files: [] })],
    [
      'bubbleId:c-depot:b-2',
      json({
        bubbleId: 'b-2',
        type: 2,
        text: '',
        thinking: { text: 'The list comes first.' },
        tokenCount: { inputTokens: 210, outputTokens: 18 },
        timingInfo: { clientStartTime: AT_MS + 800.25, clientEndTime: AT_MS + 1900.5 },
        modelInfo: { modelName: 'heron-2' },
      }),
    ],
    [
      'composerData:c-depot',
      json({
        composerId: 'c-depot',
        name: 'Count the hubs',
        createdAt: AT_MS,
        status: 'completed',
        modelConfig: { modelName: 'heron-2' },
        fullConversationHeadersOnly: [
          { bubbleId: 'b-1', type: 1 },
          { bubbleId: 'b-2', type: 2 },
          { bubbleId: 'b-3', type: 2 },
          { bubbleId: 'b-gone', type: 2 },
          { bubbleId: 'b-4', type: 2 },
          { bubbleId: 'b-5', type: 2 },
          { bubbleId: 'b-6', type: 2 },
          { bubbleId: 'b-7', type: 2 },
          { bubbleId: 'b-8', type: 2 },
          { bubbleId: 'b-9', type: 2 },
        ],
      }),
    ],
    [
      'bubbleId:c-depot:b-1',
      json({
        bubbleId: 'b-1',
        type: 1,
        text: 'How many hubs are in the depot?',
        createdAt: '2026-11-23T09:00:00.000Z',
      }),
    ],
    [
      'bubbleId:c-depot:b-3',
      json({
        bubbleId: 'b-3',
        type: 2,
        text: '',
        capabilityType: 15,
        tokenCount: { inputTokens: 0, outputTokens: 0 },
        timingInfo: { clientStartTime: AT_MS + 2000, clientEndTime: AT_MS + 2450.125 },
        toolFormerData: {
          tool: 19,
          toolCallId: 'call_1',
          name: 'mcp_depot_list_bays',
          status: 'completed',
          rawArgs: '{"part": "hub", "id": 9007199254740993}',
          params: json({
            tools: [{ name: 'list_bays', serverName: 'depot', parameters: '{"part": "hub"}' }],
          }),
          result: json({ result: LONG }),
        },
      }),
    ],
    [
      'bubbleId:c-depot:b-4',
      json({
        type: 2,
        capabilityType: 15,
        toolFormerData: {
          tool: 15,
          toolCallId: 'call_2',
          name: 'run_terminal_cmd',
          status: 'error',
          rawArgs: '{"command":"count hubs"}',
          error: 'no such command',
          additionalData: {},
        },
      }),
    ],
    [
      'bubbleId:c-depot:b-5',
      json({
        type: 2,
        capabilityType: 15,
        toolFormerData: {
          tool: 7,
          toolCallId: 'call_3',
          name: 'edit_file',
          status: 'cancelled',
          userDecision: 'rejected',
          params: '{"file":"count.txt"}',
        },
      }),
    ],
    [
      'bubbleId:c-depot:b-6',
      json({
        type: 2,
        capabilityType: 15,
        toolFormerData: {
          tool: 5,
          toolCallId: 'call_4',
          name: 'read_file',
          status: 'loading',
          rawArgs: '{"file":"cou',
        },
      }),
    ],
    ['bubbleId:c-depot:b-7', json({ type: 2, text: 'There are 360 hubs. Größe ✓' })],
    ['bubbleId:c-other:b-9', json({ type: 1, text: 'nobody lists this' })],
    [
      'bubbleId:c-depot:b-8',
      json({
        type: 2,
        capabilityType: 15,
        toolFormerData: {
          tool: 48,
          toolCallId: 'call_5',
          name: 'task_v2',
          status: 'completed',
          rawArgs: '{"prompt":"count bay 9"}',
          result: '{"agentId":"c-helper"}',
        },
      }),
    ],
    ['bubbleId:c-depot:b-9', json({ type: 2, capabilityType: 22, text: '' })],
    [
      'composerData:c-helper',
      json({
        composerId: 'c-helper',
        subagentInfo: {
          parentComposerId: 'c-depot',
          toolCallId: 'call_5',
          subagentTypeName: 'counter',
        },
        fullConversationHeadersOnly: [{ bubbleId: 'h-1', type: 1 }],
      }),
    ],
    [
      'bubbleId:c-helper:h-1',
      json({ type: 1, text: 'count bay 9', createdAt: '2026-11-23T09:00:05.000Z' }),
    ],
    ['composerData:c-empty', json({ composerId: 'c-empty', fullConversationHeadersOnly: [] })],
    ['composerData:c-null', null],
    ['composerData:c-torn', '{"composerId": "c-to'],
    [
      'composerData:c-old',
      json({
        composerId: 'c-old',
        name: '',
        conversation: [
          { type: 1, bubbleId: 'o-1', text: 'Is bay 7 free?' },
          { type: 2, bubbleId: 'o-2', text: 'Yes.' },
        ],
      }),
    ],
  ],
  ItemTable: [
    [
      'workbench.panel.aichat.view.aichat.chatdata',
      Buffer.from(
        json({
          tabs: [
            {
              tabId: 't-1',
              chatTitle: 'Spokes',
              bubbles: [
                { type: 'user', text: '', rawText: 'Any spokes left?' },
                { type: 'ai', rawText: 'Forty.' },
              ],
            },
          ],
        }),
      ),
    ],
    ['workbench.colorTheme', '"night"'],
  ],
});

// The same while its program runs (the log is a file beside it), with a page that is damaged.
const worn = Buffer.from(cursor);
worn.fill(2, 18, 20);
worn[worn.indexOf('There are 360 hubs') - (worn.indexOf('There are 360 hubs') % 1024)] = 0xff;
writeFileSync(join(FIXTURES_FOLDER, 'cursor-database/worn.vscdb'), worn);

// VS Code: chats under one key, as it kept them before 2025, and the list of those that are files since.
const answered = (requestId: string, message: unknown, response: unknown, more = {}) => ({
  requestId,
  message,
  response,
  ...more,
});
write('cursor-database/workspace.vscdb', KEY_VALUE.split(';')[0] ?? '', {
  ItemTable: [
    [
      'interactive.sessions',
      json([
        {
          version: 3,
          sessionId: 'v-1',
          creationDate: AT_MS,
          customTitle: 'Racks',
          requests: [
            answered('r-1', { text: 'How many racks?', parts: [] }, [{ value: 'Let me look. ' }], {
              timestamp: AT_MS,
              isCanceled: false,
            }),
            answered('r-2', { text: 'And hooks?' }, ['Twelve.', ' I counted them.']),
          ],
        },
        {
          sessionId: 'v-2',
          providerId: 'old',
          requests: [answered('r-3', 'Is bay 4 free?', `Yes. ${LONG}`)],
        },
        { sessionId: 'v-3', requests: [] },
      ]),
    ],
    [
      'chat.ChatSessionStore.index',
      json({
        version: 1,
        entries: {
          'v-4': { sessionId: 'v-4', title: 'Pumps', lastMessageDate: AT_MS, isEmpty: false },
        },
      }),
    ],
    ['memento/interactive-session', json({ history: { copilot: [{ text: 'How many racks?' }] } })],
  ],
});

// OpenCode

const session = (id: string, parent: string | null, title: string): Value[] => [
  id,
  'depot',
  parent,
  'slug',
  '/depot',
  title,
  '1.2.3',
  AT_MS,
  AT_MS + 9000,
];
const message = (id: string, owner: string, data: object): Value[] => [
  id,
  owner,
  AT_MS,
  AT_MS,
  json(data),
];
const part = (id: string, of: string, owner: string, data: object): Value[] => [
  id,
  of,
  owner,
  AT_MS,
  AT_MS,
  json(data),
];
const assistant = {
  role: 'assistant',
  time: { created: AT_MS + 500, completed: AT_MS + 7000 },
  modelID: 'heron-2',
  providerID: 'lake',
  mode: 'build',
  tokens: { input: 90, output: 21, reasoning: 0, cache: { read: 40, write: 0 } },
  cost: 0,
};
const tokens = (input: number, output: number) => ({
  input,
  output,
  reasoning: 0,
  cache: { read: 40, write: 0 },
});

write(
  'opencode-database/depot.db',
  `CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
   CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
   CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
   CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
   CREATE INDEX part_message_idx ON part (message_id)`,
  {
    project: [['depot', '/depot']],
    session: [
      session('ses_1', null, 'Order new hubs'),
      session('ses_2', 'ses_1', 'Look up the supplier'),
      session('ses_3', 'ses_1', 'Started by no recorded call'),
      session('ses_4', null, 'Nothing was said'),
    ],
    message: [
      message('msg_2', 'ses_1', assistant),
      message('msg_1', 'ses_1', { role: 'user', time: { created: AT_MS } }),
      message('msg_3', 'ses_2', { role: 'user', time: { created: AT_MS + 1100 } }),
      message('msg_4', 'ses_2', {
        ...assistant,
        time: { created: AT_MS + 1200 },
        tokens: tokens(12, 3),
      }),
      message('msg_5', 'ses_3', { role: 'user', time: { created: AT_MS + 8000 } }),
      message('msg_6', 'ses_gone', { role: 'user', time: { created: AT_MS } }),
    ],
    part: [
      part('prt_01', 'msg_1', 'ses_1', {
        type: 'text',
        text: 'Order twelve hubs from the cheapest supplier.',
      }),
      part('prt_02', 'msg_2', 'ses_1', { type: 'step-start' }),
      part('prt_03', 'msg_2', 'ses_1', {
        type: 'text',
        text: 'I will ask a helper for the supplier.',
      }),
      part('prt_04', 'msg_2', 'ses_1', {
        type: 'tool',
        callID: 'call_1',
        tool: 'task',
        state: {
          status: 'completed',
          input: { description: 'Find the supplier', prompt: 'Who sells hubs?' },
          output: 'Wheel & Co',
          title: 'Find the supplier',
          metadata: { sessionId: 'ses_2' },
          time: { start: AT_MS + 1000, end: AT_MS + 3000 },
        },
      }),
      part('prt_05', 'msg_2', 'ses_1', {
        type: 'step-finish',
        reason: 'tool-calls',
        tokens: tokens(50, 11),
        cost: 0,
      }),
      part('prt_06', 'msg_2', 'ses_1', { type: 'step-start' }),
      part('prt_07', 'msg_2', 'ses_1', {
        type: 'tool',
        callID: 'call_2',
        tool: 'depot_order',
        state: {
          status: 'completed',
          input: { part: 'hub', count: 12 },
          output: LONG,
          metadata: {},
          time: { start: AT_MS + 4000, end: AT_MS + 4250 },
        },
      }),
      part('prt_08', 'msg_2', 'ses_1', {
        type: 'tool',
        callID: 'call_3',
        tool: 'invalid',
        state: {
          status: 'completed',
          input: { tool: 'depot_cancel', error: 'unavailable tool depot_cancel' },
          output: 'x',
          metadata: {},
          time: { start: AT_MS + 5000, end: AT_MS + 5001 },
        },
      }),
      part('prt_09', 'msg_2', 'ses_1', {
        type: 'tool',
        callID: 'call_4',
        tool: 'bash',
        state: { status: 'running', input: { command: 'sleep 9' }, time: { start: AT_MS + 6000 } },
      }),
      part('prt_10', 'msg_2', 'ses_1', {
        type: 'step-finish',
        reason: 'stop',
        tokens: tokens(40, 10),
        cost: 0,
      }),
      part('prt_11', 'msg_3', 'ses_2', { type: 'text', text: 'Who sells hubs?' }),
      part('prt_12', 'msg_4', 'ses_2', { type: 'text', text: 'Wheel & Co' }),
      part('prt_13', 'msg_5', 'ses_3', { type: 'text', text: 'Tidy up.' }),
      part('prt_14', 'msg_gone', 'ses_1', { type: 'text', text: 'lost' }),
    ],
  },
);

const goParts = (...parts: [string, object][]): string =>
  json(parts.map(([type, data]) => ({ type, data })));

write(
  'opencode-database/older.db',
  `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL);
   CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER);
   CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL)`,
  {
    sessions: [
      ['s-1', null, 'Stock of spokes', 4, AT_MS],
      ['call_2', 's-1', 'New Agent Session', 1, AT_MS],
    ],
    messages: [
      [
        'm-1',
        's-1',
        'user',
        goParts(['text', { text: 'Count the spokes.' }]),
        null,
        AT_MS,
        AT_MS,
        null,
      ],
      [
        'm-2',
        's-1',
        'assistant',
        goParts(
          ['reasoning', { thinking: 'Ask the depot.' }],
          ['text', { text: 'Counting.' }],
          [
            'tool_call',
            {
              id: 'call_1',
              name: 'depot_count',
              input: '{"part":"spoke"}',
              type: '',
              finished: true,
            },
          ],
          [
            'tool_call',
            { id: 'call_2', name: 'agent', input: '{"prompt":"look in bay 3"}', finished: true },
          ],
          ['finish', { reason: 'tool_use', time: 1 }],
        ),
        'heron-2',
        AT_MS + 1000,
        AT_MS + 1000,
        AT_MS + 2000,
      ],
      [
        'm-3',
        's-1',
        'tool',
        goParts([
          'tool_result',
          {
            tool_call_id: 'call_1',
            name: 'depot_count',
            content: 'bay 3 is locked',
            metadata: '',
            is_error: true,
          },
        ]),
        null,
        AT_MS + 2500,
        AT_MS + 2500,
        null,
      ],
      ['m-4', 's-1', 'assistant', '[]', 'heron-2', AT_MS + 3000, AT_MS + 3000, null],
      [
        'm-5',
        'call_2',
        'user',
        goParts(['text', { text: 'look in bay 3' }]),
        null,
        AT_MS + 2100,
        AT_MS + 2100,
        null,
      ],
      [
        'm-6',
        's-1',
        'tool',
        goParts(['tool_result', { tool_call_id: 'call_9', content: 'x' }]),
        null,
        AT_MS + 4000,
        AT_MS + 4000,
        null,
      ],
    ],
    files: [['f-1', 's-1', 'count.txt', '0']],
  },
);

// Goose

const request = (id: string, name: string, given: object) => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: given } },
});
const response = (id: string, toolResult: object) => ({ type: 'toolResponse', id, toolResult });
const AT_S = AT_MS / 1000;
const gooseMessages: [string, object[], object][] = [
  ['user', [{ type: 'text', text: 'Move the hubs to bay 9.' }], {}],
  [
    'assistant',
    [
      { type: 'thinking', thinking: 'First look.', signature: 's' },
      { type: 'text', text: 'Looking.' },
      request('r-1', 'depot__find_part', { name: 'hub' }),
      request('r-2', 'depot__move_part', { to: 'bay 9' }),
      { type: 'toolRequest', id: 'r-3', toolCall: { status: 'error', error: 'invalid arguments' } },
    ],
    {},
  ],
  [
    'user',
    [
      response('r-1', { status: 'success', value: [{ type: 'text', text: LONG }] }),
      response('r-2', { status: 'error', error: 'Execution failed: bay 9 is full' }),
    ],
    {},
  ],
  [
    'assistant',
    [request('r-4', 'platform__shell', { command: 'ls' }), request('r-5', 'depot__close', {})],
    {},
  ],
  [
    'user',
    [
      response('r-4', {
        status: 'success',
        value: {
          content: [{ type: 'text', text: 'The user has declined to run this tool.' }],
          isError: false,
        },
      }),
      response('r-9', { status: 'success', value: [] }),
    ],
    {},
  ],
  [
    'user',
    [{ type: 'text', text: 'So far: hubs found, bay 9 is full.' }],
    { userVisible: false, agentVisible: true },
  ],
];

write(
  'goose/sessions.db',
  `CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP);
   CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', working_dir TEXT NOT NULL, provider_name TEXT, model_config_json TEXT, accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER, accumulated_cost REAL);
   CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER, metadata_json TEXT)`,
  {
    schema_version: [[15, '2026-11-23']],
    sessions: [
      [
        '20261123_1',
        'Move the hubs',
        '',
        '/depot',
        'lake',
        json({ model_name: 'heron-2' }),
        950,
        900,
        50,
        0.0125,
      ],
      ['20261123_2', '', 'Nothing yet', '/depot', null, null, null, null, null, null],
    ],
    messages: [
      ...gooseMessages.map(([role, content, metadata], index): Value[] => [
        index + 1,
        `m-${index + 1}`,
        '20261123_1',
        role,
        json(content),
        AT_S + index,
        null,
        null,
        json(metadata),
      ]),
      [7, null, '20261123_1', 'user', '[]', AT_S, null, null, null],
      [8, 'm-8', 'gone', 'user', json([{ type: 'text', text: 'lost' }]), AT_S, null, null, '{}'],
    ],
  },
);
writeFileSync(
  join(FIXTURES_FOLDER, 'goose/older.jsonl'),
  [
    { working_dir: '/depot', description: 'Move the hubs', message_count: 6, total_tokens: 900 },
    ...gooseMessages.map(([role, content], index) => ({ role, created: AT_S + index, content })),
  ]
    .map((line) => `${json(line)}\n`)
    .join(''),
);

// Zed

/** zstd of a frame with one raw block: what a compressor makes of bytes that don't get smaller. */
function zstd(text: string): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0xfd2fb528);
  head.writeUInt8(0xa0, 4);
  head.writeUInt32LE(content.length, 5);
  head.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([head, content]);
}

const call = (id: string, name: string, given: object, isComplete = true) => ({
  ToolUse: { id, name, raw_input: json(given), input: given, is_input_complete: isComplete },
});
const result = (id: string, name: string, isError: boolean, text: string) => ({
  [id]: {
    tool_use_id: id,
    tool_name: name,
    is_error: isError,
    content: { Text: text },
    output: null,
  },
});
const thread = {
  version: '0.3.0',
  title: 'Where are the hubs?',
  model: { provider: 'lake', model: 'heron-2' },
  request_token_usage: {
    'u-1': { input_tokens: 300, output_tokens: 25, cache_read_input_tokens: 90 },
  },
  cumulative_token_usage: { input_tokens: 300, output_tokens: 25 },
  messages: [
    {
      User: {
        id: 'u-1',
        content: [
          { Text: 'Where are the hubs?' },
          { Mention: { uri: 'file:///depot/plan.md', content: 'plan' } },
        ],
      },
    },
    {
      Agent: {
        content: [
          { Thinking: { text: 'Ask the depot.', signature: 's' } },
          { Text: 'Let me look.' },
          call('t-1', 'find_part', { name: 'hub' }),
          call('t-2', 'open_bay', { bay: 3 }),
          call('t-3', 'open_bay', { bay: 4 }, false),
          call('t-4', 'list_bays', {}),
        ],
        tool_results: {
          ...result('t-1', 'find_part', false, LONG),
          ...result('t-2', 'open_bay', true, 'bay 3 is locked'),
        },
      },
    },
    'Resume',
    { Agent: { content: [{ RedactedThinking: 'AAAA' }], tool_results: {} } },
  ],
};
const older = {
  version: '0.2.0',
  summary: 'Spokes',
  messages: [
    {
      id: 0,
      role: 'user',
      segments: [{ type: 'text', text: 'Any spokes?' }],
      tool_uses: [],
      tool_results: [],
    },
    {
      id: 1,
      role: 'assistant',
      segments: [
        { type: 'thinking', text: 'Look.' },
        { type: 'text', text: 'One moment.' },
      ],
      tool_uses: [{ id: 'o-1', name: 'find_part', input: { name: 'spoke' } }],
      tool_results: [],
    },
    {
      id: 2,
      role: 'user',
      segments: [],
      tool_uses: [],
      tool_results: [{ tool_use_id: 'o-1', is_error: false, content: '[]' }],
    },
  ],
};

write(
  'zed-threads/threads.db',
  `CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)`,
  {
    threads: [
      ['th-1', 'Where are the hubs?', '2026-11-23T09:00:00Z', 'json', Buffer.from(json(thread))],
      ['th-2', 'Spokes', '2026-11-23T10:00:00Z', 'zstd', zstd(json(older))],
      ['th-3', 'Torn', '2026-11-23T11:00:00Z', 'zstd', zstd(json(older)).subarray(0, 40)],
      ['th-4', 'Empty', '2026-11-23T12:00:00Z', 'json', Buffer.from('{"messages":[]}')],
    ],
  },
);

// In UTF-16 a text has no bytes that could be shown as they are.
write(
  'zed-threads/utf16.db',
  `PRAGMA encoding = 'UTF-16le';
   CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)`,
  {
    threads: [
      ['th-5', 'Größe der Nabe ✓', '2026-11-23T13:00:00Z', 'json', json(older)],
      ['th-6', 'Bytes', '2026-11-23T14:00:00Z', 'json', Buffer.from(json(older))],
    ],
  },
);
