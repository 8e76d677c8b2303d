import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SERVERS = new URL('../servers/', import.meta.url);

/** The command of a hostile stdio server; see servers/call-behaviours.mjs for the behaviours. */
export function hostileStdioCommand(
  behaviour: string,
  logPath?: string,
): { command: string; args: string[] } {
  return { command: process.execPath, args: argumentsOf('hostile-stdio.mjs', behaviour, logPath) };
}

/** The same for a server of MCP 2026-07-28; see servers/modern-core.mjs. */
export function hostileModernCommand(
  behaviour: string,
  logPath?: string,
): { command: string; args: string[] } {
  return { command: process.execPath, args: argumentsOf('hostile-modern.mjs', behaviour, logPath) };
}

/** A server made with the official SDK for MCP 2026-07-28; `--strict` refuses `initialize`. */
export function modernSdkCommand(...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [pathOf('modern-sdk.mjs'), ...args] };
}

export interface RunningHttpServer {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a hostile Streamable HTTP server as a process of its own, on a port of its own.
 * `environment` is added to this process's own.
 */
export function startHostileHttp(
  behaviour: string,
  logPath?: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningHttpServer> {
  return start(argumentsOf('hostile-http.mjs', behaviour, logPath), environment);
}

/** The same for HTTP+SSE (MCP 2024-11-05). */
export function startHostileSse(behaviour: string, logPath?: string): Promise<RunningHttpServer> {
  return start(argumentsOf('hostile-sse.mjs', behaviour, logPath));
}

/** The same for MCP 2026-07-28. */
export function startHostileModernHttp(
  behaviour: string,
  logPath?: string,
): Promise<RunningHttpServer> {
  return start([...argumentsOf('hostile-modern.mjs', behaviour, logPath), '--http']);
}

/** The server of `modernSdkCommand` over Streamable HTTP. */
export function startModernSdkHttp(...args: string[]): Promise<RunningHttpServer> {
  return start([pathOf('modern-sdk.mjs'), '--http', ...args]);
}

async function start(
  args: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningHttpServer> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The HTTP server exited with code ${code}.`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.trim());
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

function argumentsOf(script: string, behaviour: string, logPath: string | undefined): string[] {
  const path = pathOf(script);
  const log = logPath === undefined ? [] : ['--log', logPath];
  return [path, '--behaviour', behaviour, ...log];
}

function pathOf(script: string): string {
  return fileURLToPath(new URL(script, SERVERS));
}
