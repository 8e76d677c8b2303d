/** Where an agent or a client keeps its recordings, and which of the files there are recordings. */
export interface AgentFolder {
  /** Names the folder in commands and routes; a page never names a path. */
  readonly id: string;
  readonly client: string;
  /** What is there. */
  readonly holds: string;
  /** The format that reads it; null = none does so far, and `note` says what to do instead. */
  readonly format: string | null;
  readonly note: string | null;
  /**
   * Alternatives for each platform. `~` is the home folder; `$NAME(~/x)` what the variable NAME of the
   * environment says, `~/x` where it says nothing.
   */
  readonly folders: Readonly<Record<'linux' | 'darwin' | 'win32', readonly string[]>>;
  /** Of the path below the folder, with `/`: `*` is a part of a name, `**` any number of folders; `!` leaves out. */
  readonly files: readonly string[];
  /** Where this is known from. */
  readonly source: string;
}

type Platforms = AgentFolder['folders'];

const everywhere = (...folders: string[]): Platforms => ({
  linux: folders,
  darwin: folders,
  win32: folders,
});

/** The folder that an editor keeps its data in, of each kind that is built from VS Code. */
const ofEditors = (below: string, names: readonly string[]): Platforms => ({
  linux: names.map((name) => `$XDG_CONFIG_HOME(~/.config)/${name}/${below}`),
  darwin: names.map((name) => `~/Library/Application Support/${name}/${below}`),
  win32: names.map((name) => `$APPDATA(~/AppData/Roaming)/${name}/${below}`),
});

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium'];

/** The same where an extension runs on the machine that an editor is connected to. */
const onServers = (below: string): string[] =>
  ['vscode-server', 'vscode-server-insiders', 'vscodium-server', 'cursor-server'].map(
    (name) => `~/.${name}/data/${below}`,
  );

/** Of an extension: in each editor that is built from VS Code, and on machines that one is connected to. */
function ofExtension(below: string): Platforms {
  const { linux, darwin, win32 } = ofEditors(`User/${below}`, [...EDITORS, 'Cursor', 'Windsurf']);
  const servers = onServers(`User/${below}`);
  return {
    linux: [...linux, ...servers],
    darwin: [...darwin, ...servers],
    win32: [...win32, ...servers],
  };
}

function ofLogs(): Platforms {
  const { linux, darwin, win32 } = ofEditors('logs', EDITORS);
  const servers = onServers('logs');
  return {
    linux: [...linux, ...servers],
    darwin: [...darwin, ...servers],
    win32: [...win32, ...servers],
  };
}

/** Every folder that is known. A new one is one entry here; nothing else lists them. */
export const AGENT_FOLDERS: readonly AgentFolder[] = [
  {
    id: 'claude-code',
    client: 'Claude Code',
    holds: 'sessions with their sub-agents',
    format: 'claude-code-jsonl',
    note: null,
    folders: everywhere('$CLAUDE_CONFIG_DIR(~/.claude)/projects'),
    files: ['**/*.jsonl', '!**/workflows/**/journal.jsonl'],
    source: 'its documentation (settings, CLAUDE_CONFIG_DIR) and session files of 1.0 to 2.1',
  },
  {
    id: 'claude-desktop',
    client: 'Claude Desktop',
    holds: 'MCP logs',
    format: 'claude-desktop-log',
    note: null,
    folders: {
      linux: ['$XDG_CONFIG_HOME(~/.config)/Claude/logs'],
      darwin: ['~/Library/Logs/Claude'],
      win32: ['$APPDATA(~/AppData/Roaming)/Claude/logs'],
    },
    files: ['mcp*.log'],
    source: 'the debugging guide of modelcontextprotocol.io; on Linux, unofficial builds',
  },
  {
    id: 'codex',
    client: 'Codex',
    holds: 'rollouts of its sessions',
    format: 'codex-rollout',
    note: null,
    folders: everywhere('$CODEX_HOME(~/.codex)'),
    files: ['sessions/**/rollout-*.jsonl', 'archived_sessions/**/rollout-*.jsonl'],
    source: 'its source (rollout recorder, CODEX_HOME) and rollout files',
  },
  {
    id: 'gemini-cli',
    client: 'Gemini CLI',
    holds: 'chats and checkpoints',
    format: 'gemini-cli',
    note: null,
    folders: everywhere('~/.gemini/tmp'),
    files: ['*/chats/session-*.json', '*/chats/session-*.jsonl', '*/checkpoint-*.json'],
    source: 'its source (chat recording, storage) and chat files',
  },
  {
    id: 'vscode-copilot',
    client: 'VS Code Copilot Chat',
    holds: 'chat sessions',
    format: 'vscode-copilot',
    note: null,
    folders: ofEditors('User', EDITORS),
    files: [
      'workspaceStorage/*/chatSessions/*.json',
      'workspaceStorage/*/chatSessions/*.jsonl',
      'globalStorage/emptyWindowChatSessions/*.json',
      'globalStorage/emptyWindowChatSessions/*.jsonl',
    ],
    source: 'its source (chat session store) and session files',
  },
  {
    id: 'vscode-mcp-log',
    client: 'VS Code',
    holds: 'output of its MCP servers',
    format: 'vscode-mcp-log',
    note: null,
    folders: ofLogs(),
    files: ['**/mcpServer.*.log'],
    source:
      'its documentation (the output of MCP servers) and log files; not checked on every version',
  },
  {
    id: 'cline',
    client: 'Cline',
    holds: 'tasks',
    format: 'cline-roo',
    note: null,
    folders: ofExtension('globalStorage/saoudrizwan.claude-dev/tasks'),
    files: ['*/ui_messages.json', '*/api_conversation_history.json'],
    source: 'its source (disk storage of tasks)',
  },
  {
    id: 'roo-code',
    client: 'Roo Code',
    holds: 'tasks',
    format: 'cline-roo',
    note: null,
    folders: ofExtension('globalStorage/rooveterinaryinc.roo-cline/tasks'),
    files: ['*/ui_messages.json', '*/api_conversation_history.json'],
    source: 'its source (disk storage of tasks)',
  },
  {
    id: 'opencode',
    client: 'OpenCode',
    holds: 'its database of sessions',
    format: 'opencode-database',
    note: null,
    folders: everywhere('$XDG_DATA_HOME(~/.local/share)/opencode'),
    files: ['opencode*.db', 'opencode*.db-wal'],
    source: 'its source (global paths)',
  },
  {
    id: 'opencode-storage',
    client: 'OpenCode before its database',
    holds: 'sessions, a file a message',
    format: null,
    note: 'Export a session (opencode export) and import that.',
    folders: everywhere('$XDG_DATA_HOME(~/.local/share)/opencode/storage'),
    files: ['session/**/*.json'],
    source: 'its source (storage) of versions before the database',
  },
  {
    id: 'cursor-agent',
    client: "Cursor's agent",
    holds: 'transcripts and chats of its command line',
    format: null,
    note: 'No importer reads these yet; conversations in its editor are in its databases.',
    folders: everywhere('~/.cursor'),
    files: [
      'projects/*/agent-transcripts/**/*.jsonl',
      'projects/*/agent-transcripts/*.txt',
      'chats/**/store.db',
    ],
    source: 'other readers of its folders; not checked on every version',
  },
  {
    id: 'cursor',
    client: 'Cursor',
    holds: 'its databases of chats',
    format: 'cursor-database',
    note: null,
    folders: ofEditors('User', ['Cursor']),
    files: [
      'globalStorage/state.vscdb',
      'globalStorage/state.vscdb-wal',
      'workspaceStorage/*/state.vscdb',
      'workspaceStorage/*/state.vscdb-wal',
    ],
    source: 'databases that other readers of them document',
  },
  {
    id: 'windsurf',
    client: 'Windsurf',
    holds: 'conversations',
    format: null,
    note: 'These files are encrypted. Download a conversation from its menu and import that.',
    folders: everywhere('~/.codeium/windsurf/cascade'),
    files: ['*.pb'],
    source: 'other readers of its folders, who found them unreadable',
  },
  {
    id: 'goose',
    client: 'Goose',
    holds: 'its sessions',
    format: 'goose',
    note: null,
    folders: {
      linux: ['$XDG_DATA_HOME(~/.local/share)/goose/sessions'],
      darwin: [
        '~/.local/share/goose/sessions',
        '~/Library/Application Support/Block/goose/sessions',
      ],
      win32: ['$APPDATA(~/AppData/Roaming)/Block/goose/data/sessions'],
    },
    files: ['sessions.db', 'sessions.db-wal', '*.jsonl'],
    source: 'its source (session manager)',
  },
  {
    id: 'copilot-cli',
    client: 'Copilot CLI',
    holds: 'events of its sessions',
    format: null,
    note: 'No importer reads these yet.',
    folders: everywhere('~/.copilot/session-state'),
    files: ['**/events.jsonl'],
    source: 'session files; not checked on every version',
  },
  {
    id: 'amp',
    client: 'Amp',
    holds: 'threads',
    format: 'amp-thread',
    note: null,
    folders: everywhere('$XDG_DATA_HOME(~/.local/share)/amp/threads'),
    files: ['T-*.json'],
    source: 'thread files that other readers of them document',
  },
  {
    id: 'continue',
    client: 'Continue',
    holds: 'sessions',
    format: 'continue-session',
    note: null,
    folders: everywhere('$CONTINUE_GLOBAL_DIR(~/.continue)/sessions'),
    files: ['*.json', '!sessions.json'],
    source: 'its source (paths of the core)',
  },
  {
    id: 'zed',
    client: 'Zed',
    holds: 'its database of threads',
    format: 'zed-threads',
    note: null,
    folders: {
      linux: ['$XDG_DATA_HOME(~/.local/share)/zed/threads'],
      darwin: ['~/Library/Application Support/Zed/threads'],
      win32: ['$LOCALAPPDATA(~/AppData/Local)/Zed/threads'],
    },
    files: ['threads.db', 'threads.db-wal'],
    source: 'databases that other readers of them document; not checked on every version',
  },
];
