import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp, portOf } from './app.ts';
import type { Services } from './compose.ts';
import { DEFAULT_PORT } from './default-port.ts';
import { makeToken } from './security/token.ts';

/** After that many busy ports in a row, something else is wrong. */
const PORTS_TRIED = 50;

export interface ListenOptions extends Omit<AppOptions, 'token' | 'port'> {
  /** 0 = any free one; a busy one is passed over for the next. */
  readonly port?: number;
  readonly token?: string;
}

export interface RunningServer {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly token: string;
  /** What to open: holds the token of this start. */
  readonly address: string;
  /** Stops listening and closes the services. */
  close(): Promise<void>;
}

/** Serves on 127.0.0.1 and nowhere else. */
export async function serve(
  services: Services,
  options: ListenOptions = {},
): Promise<RunningServer> {
  const { port: wanted = DEFAULT_PORT, token = makeToken(), ...appOptions } = options;
  const last = wanted === 0 ? 0 : Math.min(65_535, wanted + PORTS_TRIED - 1);
  for (let port = wanted; ; port += 1) {
    // A Fastify that failed to listen can't try again.
    const app = await buildApp(services, { ...appOptions, token });
    try {
      await app.listen({ host: '127.0.0.1', port });
    } catch (error) {
      await app.close();
      if (!isBusy(error) || port >= last) throw error;
      continue;
    }
    const actual = portOf(app) ?? port;
    await services.receiver.start(actual);
    await services.follows.start();
    return {
      app,
      port: actual,
      token,
      address: `http://127.0.0.1:${actual}/?token=${token}`,
      async close() {
        await app.close();
        await services.close();
      },
    };
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
