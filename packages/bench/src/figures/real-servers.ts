import { existsSync } from 'node:fs';

/** A published server, how it is started, and one call that does no harm. */
export interface RealServer {
  readonly package: string;
  readonly version: string;
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  /** `FOLDER` stands for a folder of its own with `shelf.txt`, a git repository and `shelf.db`. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly argumentsText: string;
}

const EVERYTHING = { package: '@modelcontextprotocol/server-everything', version: '2026.8.31' };
const ECHO = { tool: 'echo', argumentsText: '{"message":"shelf A-7: 9007199254740993"}' };
const CHROMIUM =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ??
  'chromium';

function stdio(
  name: string,
  version: string,
  args: readonly string[],
  tool: string,
  argumentsText: string,
  environment: Readonly<Record<string, string>> = {},
): RealServer {
  return { package: name, version, transport: 'stdio', args, tool, argumentsText, environment };
}

export const REAL_SERVERS: readonly RealServer[] = [
  { ...EVERYTHING, transport: 'stdio', args: ['stdio'], ...ECHO },
  { ...EVERYTHING, transport: 'streamable-http', args: ['streamableHttp'], ...ECHO },
  { ...EVERYTHING, transport: 'sse', args: ['sse'], ...ECHO },
  stdio(
    '@modelcontextprotocol/server-filesystem',
    '2026.8.31',
    ['FOLDER'],
    'read_text_file',
    '{"path":"FOLDER/shelf.txt"}',
  ),
  stdio('@modelcontextprotocol/server-memory', '2026.8.31', [], 'read_graph', '{}', {
    MEMORY_FILE_PATH: 'FOLDER/memory.jsonl',
  }),
  stdio(
    '@modelcontextprotocol/server-sequential-thinking',
    '2026.8.31',
    [],
    'sequentialthinking',
    '{"thought":"count the boxes","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}',
  ),
  stdio(
    '@playwright/mcp',
    '0.0.83',
    ['--headless', '--isolated', '--no-sandbox', '--executable-path', CHROMIUM],
    'browser_navigate',
    '{"url":"data:text/html,<title>Shelf</title><p>A-7"}',
  ),
  stdio(
    'chrome-devtools-mcp',
    '1.11.0',
    ['--headless', '--isolated', '--executablePath', CHROMIUM, '--chromeArg=--no-sandbox'],
    'list_pages',
    '{}',
  ),
  stdio('@cyanheads/git-mcp-server', '2.15.3', [], 'git_status', '{"path":"FOLDER"}', {
    MCP_TRANSPORT_TYPE: 'stdio',
    LOGS_DIR: 'FOLDER/logs',
  }),
  stdio('@wonderwhy-er/desktop-commander', '0.2.52', [], 'list_directory', '{"path":"FOLDER"}'),
  stdio('mcp-git', '0.0.4', [], 'git_status', '{"repo_path":"FOLDER"}'),
  stdio(
    'mcp-sqlite',
    '1.0.9',
    ['FOLDER/shelf.db'],
    'query',
    '{"sql":"SELECT 9007199254740993 AS boxes"}',
  ),
  stdio(
    'mcp-server-sqlite-npx',
    '0.8.0',
    ['FOLDER/shelf.db'],
    'read_query',
    '{"query":"SELECT 9007199254740993 AS boxes"}',
  ),
  stdio('mcp-memory-libsql', '0.0.17', [], 'read_graph', '{}', {
    LIBSQL_URL: 'file:FOLDER/memory.db',
  }),
  stdio(
    '@negokaz/excel-mcp-server',
    '0.12.0',
    [],
    'excel_describe_sheets',
    '{"fileAbsolutePath":"FOLDER/missing.xlsx"}',
  ),
  stdio(
    '@sylphx/pdf-reader-mcp',
    '2.4.0',
    [],
    'read_pdf',
    '{"sources":[{"path":"FOLDER/missing.pdf"}]}',
  ),
  stdio(
    '@agent-infra/mcp-server-filesystem',
    '1.2.29',
    ['--allowed-directories', 'FOLDER'],
    'list_allowed_directories',
    '{}',
  ),
  stdio(
    'mcp-server-code-runner',
    '0.1.8',
    [],
    'run-code',
    '{"code":"console.log(6 * 7)","languageId":"javascript"}',
  ),
  stdio(
    'mcp-mermaid',
    '0.4.1',
    [],
    'generate_mermaid_diagram',
    '{"mermaid":"graph TD;A-->B;","outputType":"mermaid"}',
  ),
  stdio('mcp-hello-world', '1.1.2', [], 'echo', '{"message":"shelf A-7"}'),
  stdio('@eslint/mcp', '0.3.13', [], 'lint-files', '{"filePaths":["FOLDER/shelf.js"]}'),
];
