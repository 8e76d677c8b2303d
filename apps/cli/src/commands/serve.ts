import { DEFAULT_PORT, serve } from '@misstep/server';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve the app on 127.0.0.1 until it is stopped with Ctrl-C.',
  usage: '',
  options: {
    port: {
      type: 'string',
      value: 'N',
      text: `Port to listen on; the next free one if it is busy, 0 for any. ${DEFAULT_PORT} if not given.`,
    },
    open: { type: 'boolean', text: 'Open a browser where there is one.' },
    demo: { type: 'boolean', text: 'Bring the sample runs and their server at the first start.' },
  },
  async run(input) {
    const { terminal, options, json, signal } = input;
    takePositionals(input);
    const port = readPort(textOption(options, 'port'));
    const services = await input.services();
    if (options.demo === true) await services.demo.prepare();
    const server = await serve(services, { port });
    try {
      if (json) {
        const { address, token } = server;
        const { dataFolder } = services.store;
        writeJson(terminal, { type: 'serving', address, port: server.port, token, dataFolder });
      } else {
        writeWords(terminal, `Misstep is ready: ${server.address}\n`);
        tell(terminal, `Everything is kept in ${services.store.dataFolder}. Stop with Ctrl-C.`);
      }
      if (options.open === true) {
        openBrowser(server.address, terminal.platform, terminal.environment);
      }
      await aborted(signal);
    } finally {
      await server.close();
    }
    return 0;
  },
};

function readPort(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError('--port must be a number from 0 to 65535.');
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
