import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import type { TargetAddress } from '@misstep/model';

export interface StartedServer {
  readonly address: TargetAddress;
  stop(): void;
}

/** Over HTTP a process of its own, up when it says its port; over stdio only its address. */
export async function startServer(
  transport: TargetAddress['transport'],
  words: readonly string[],
  environment: ReadonlyMap<string, string>,
): Promise<StartedServer> {
  if (transport === 'stdio') {
    return {
      address: { transport, command: process.execPath, args: [...words], cwd: null },
      stop: () => undefined,
    };
  }
  const port = await freePort();
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH ?? '', ...Object.fromEntries(environment), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(String(port))) resolve();
    });
    child.once('exit', () => reject(new Error(`it did not start: ${said.slice(-300)}`)));
  });
  const path = transport === 'sse' ? 'sse' : 'mcp';
  return {
    address: { transport, url: `http://127.0.0.1:${port}/${path}` },
    stop: () => void child.kill('SIGKILL'),
  };
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
