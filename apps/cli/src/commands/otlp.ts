import { type Command, takePositionals, UsageError } from '../command.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';

export const otlpCommand: Command = {
  name: 'otlp',
  summary: 'Show what a running agent needs to send its OpenTelemetry spans to Misstep.',
  usage: '',
  options: {
    rotate: { type: 'boolean', text: 'Make a new token; the one before holds no longer.' },
    logs: {
      type: 'boolean',
      text: 'Also what sends log records here, in which some tracers put the messages.',
    },
    off: { type: 'boolean', text: 'Forget the token: no spans are taken. What came stays.' },
  },
  async run(input) {
    const { terminal, options, json } = input;
    takePositionals(input);
    if (options.rotate === true && options.off === true) {
      throw new UsageError('--rotate and --off exclude each other.');
    }
    const { receiver } = await input.services();
    if (options.off === true) await receiver.removeToken();
    const before = await receiver.state();
    const makes = options.off !== true && (before.tokenMadeAt === null || options.rotate === true);
    const made = makes ? await receiver.makeToken(options.logs === true ? ['logs'] : []) : null;
    const { endpoint, tokenMadeAt } = await receiver.state();
    if (json) {
      const { token = null, environment = [] } = made ?? {};
      writeJson(terminal, { endpoint, tokenMadeAt, token, environment });
      return 0;
    }
    if (made !== null) {
      writeWords(terminal, made.environment.map((line) => `export ${line}\n`).join(''));
      tell(terminal, 'The token is shown this once. It can send spans and nothing else.');
      tell(terminal, 'Runs appear while `misstep serve` runs on that port.');
    } else if (tokenMadeAt === null) {
      tell(terminal, 'No token: spans are not taken. `misstep otlp` makes one.');
    } else {
      writeWords(terminal, `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${endpoint}\n`);
      if (options.logs === true) {
        const logs = endpoint.replace(/traces$/, 'logs');
        writeWords(terminal, `export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${logs}\n`);
      }
      tell(
        terminal,
        `The token was made at ${tokenMadeAt} and shown then. --rotate makes another.`,
      );
    }
    return 0;
  },
};
