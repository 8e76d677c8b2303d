import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { TargetAddress } from '@misstep/model';

const require = createRequire(import.meta.url);

/** The script that a published server package runs as its command. */
function binOf(name: string): string {
  const path = require.resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(path, 'utf8'));
  const script = typeof bin === 'string' ? bin : Object.values<string>(bin)[0];
  return join(dirname(path), script ?? '');
}

export function stdio(name: string, ...args: string[]): TargetAddress {
  return { transport: 'stdio', command: process.execPath, args: [binOf(name), ...args], cwd: null };
}

/** A port that was free a moment ago, for servers that can't say which one they took. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server listening on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** server-everything over HTTP, as a process of its own. */
export async function startEverythingHttp(
  transport: 'streamable-http' | 'sse' = 'streamable-http',
): Promise<{ address: TargetAddress; stop: () => void }> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      binOf('@modelcontextprotocol/server-everything'),
      transport === 'sse' ? 'sse' : 'streamableHttp',
    ],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes(String(port))) resolve();
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${said}`)));
  });
  return {
    address: { transport, url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}` },
    stop: () => void child.kill('SIGKILL'),
  };
}
