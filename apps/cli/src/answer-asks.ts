import type { ServerAsk, Ulid } from '@misstep/model';
import { type AsksListener, checkAnswerText, type Services } from '@misstep/server';
import { UsageError } from './command.ts';
import { ask } from './terminal/ask.ts';
import { type Terminal, tell } from './terminal/terminal.ts';
import { counted, visible } from './terminal/visible.ts';

const SHOWN_CHARACTERS = 4000;

/** `METHOD=JSON` words as answers by their method; a usage error where one can't be sent. */
export function readPreparedAnswers(words: readonly string[]): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    const method = word.slice(0, at);
    if (at < 1) throw new UsageError(`--answer: "${visible(word)}" is not METHOD=JSON.`);
    const checked = checkAnswerText(word.slice(at + 1));
    if (!checked.ok) throw new UsageError(`--answer ${visible(method)}: ${checked.error}`);
    answers.set(method, checked.value);
  }
  return answers;
}

/** True where somebody sits at the other end who can be asked. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export interface AnswerOptions {
  readonly terminal: Terminal;
  readonly services: Services;
  /** Results that were given in advance, by method. */
  readonly prepared: ReadonlyMap<string, string>;
  readonly isInteractive: boolean;
  readonly signal: AbortSignal;
}

/**
 * Answers what a server asks during a replay: from what was prepared, at once, else from the
 * person at the terminal, one ask after the other. What is left to the default is its own affair.
 */
export class AskAnswers {
  readonly #options: AnswerOptions;
  /** Of each ask that was seen: lets go of the question on the terminal. */
  readonly #seen = new Map<number, AbortController>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  readonly onAsks: AsksListener = (replayId, asks) => {
    for (const each of asks) {
      const isOpen = each.answer === null && each.endedUnanswered === null;
      const seen = this.#seen.get(each.ordinal);
      if (seen !== undefined && !isOpen) seen.abort();
      if (seen === undefined && isOpen) this.#takeUp(replayId, each);
    }
  };

  /** Resolves when the terminal is free again; call it when the replay has ended. */
  async done(): Promise<void> {
    for (const controller of this.#seen.values()) controller.abort();
    await this.#turn;
  }

  #takeUp(replayId: Ulid, request: ServerAsk): void {
    const { prepared, isInteractive } = this.#options;
    const controller = new AbortController();
    this.#seen.set(request.ordinal, controller);
    const text = prepared.get(request.method);
    if (text !== undefined) void this.#send(replayId, request.ordinal, text);
    else if (isInteractive) {
      this.#turn = this.#turn.then(() => this.#question(replayId, request, controller.signal));
    }
  }

  async #question(replayId: Ulid, request: ServerAsk, closed: AbortSignal): Promise<void> {
    const { terminal, signal } = this.#options;
    if (closed.aborted) return;
    for (const line of describeAsk(request)) tell(terminal, line);
    const either = AbortSignal.any([closed, signal]);
    while (!closed.aborted) {
      const said = await ask(terminal, promptOf(request), either).catch(() => null);
      if (said === null) {
        if (closed.aborted) tell(terminal, '(no longer open)');
        return;
      }
      const answer = readAnswer(request, said);
      if (answer !== null && checkAnswerText(answer.text).ok) {
        await this.#send(replayId, request.ordinal, answer.text, answer.kind);
        return;
      }
      tell(terminal, 'That is neither JSON nor one of the letters.');
    }
  }

  async #send(
    replayId: Ulid,
    ordinal: number,
    text: string,
    kind: 'result' | 'error' = 'result',
  ): Promise<void> {
    try {
      await this.#options.services.replays.answerAsk(replayId, ordinal, { kind, text });
    } catch (error) {
      // Closed meanwhile: the account of the replay says who was first.
      tell(this.#options.terminal, visible(error instanceof Error ? error.message : String(error)));
    }
  }
}

function readAnswer(
  request: ServerAsk,
  said: string,
): { kind: 'result' | 'error'; text: string } | null {
  if (said === 'n' || said === '') return request.defaultAnswer;
  if (said !== 'y') return { kind: 'result', text: said };
  if (request.method !== 'elicitation/create') return null;
  return { kind: 'result', text: '{"action":"accept","content":{}}' };
}

function describeAsk(request: ServerAsk): string[] {
  const { ordinal, method, paramsText, paramsOmittedBytes } = request;
  const characters = [...(paramsText ?? '')];
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('');
  const hidden = characters.length - Math.min(characters.length, SHOWN_CHARACTERS);
  const cuts = [
    ...(hidden === 0 ? [] : [counted(hidden, 'character')]),
    ...(paramsOmittedBytes === 0 ? [] : [counted(paramsOmittedBytes, 'byte')]),
  ];
  return [
    `The server asks (${ordinal}): ${visible(method)}`,
    ...(shown === '' ? [] : [`  ${visible(shown)}`]),
    ...(cuts.length === 0 ? [] : [`  (${cuts.join(' and ')} more not shown)`]),
  ];
}

function promptOf({ method, defaultAnswer, defaultAfterMs }: ServerAsk): string {
  const yes = method === 'elicitation/create' ? 'y = accept without content, ' : '';
  const seconds = Math.round(defaultAfterMs / 1000);
  return `JSON result, ${yes}n = ${visible(defaultAnswer.text)} (also after ${seconds} s): `;
}
