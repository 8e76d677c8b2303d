import type { PreparedSplit } from '@misstep/server';
import type { CommandInput } from './command.ts';
import { ask } from './terminal/ask.ts';
import { formatTable } from './terminal/table.ts';
import { tell, writeJson, writeWords } from './terminal/terminal.ts';
import { shorten, visible } from './terminal/visible.ts';

/** Shows the plan with every argument text, has it confirmed as a whole, sends it, says what came. */
export async function sendSplit(input: CommandInput, prepared: PreparedSplit): Promise<0 | 1> {
  const { terminal, json, options, signal } = input;
  const { plan, tool } = prepared;
  tell(terminal, `Plan: ${plan.sentence}`);
  for (const [index, { change, argumentsText }] of plan.calls.entries()) {
    tell(terminal, `${index + 1}: ${visible(change.pointer)} ${wordChange(change)}`);
    tell(terminal, `   ${visible(tool)} ${shorten(visible(argumentsText), 2000)}`);
  }
  const question = 'Type the tool’s name to send all of it: ';
  const answer = options.yes === true ? tool : await ask(terminal, question, signal);
  if (answer !== null && answer !== tool) {
    tell(terminal, 'Not confirmed, so nothing was sent.');
    return 1;
  }
  const { ending, reason, replays } = await prepared.run({
    // Where nobody could be asked, only a tool that a trusted server calls read-only goes out.
    confirmTool: answer,
    signal,
    onProgress: (sent, { change }) =>
      tell(terminal, `${sent + 1} of ${plan.calls.length}: ${visible(change.pointer)}`),
  });
  if (json) {
    writeJson(terminal, {
      kind: 'split',
      plan: {
        sentence: plan.sentence,
        calls: plan.calls.map(({ change, argumentsText }) => ({ ...change, argumentsText })),
      },
      ending,
      reason,
      replays: replays.map(({ call, replay }) => ({
        pointer: call.change.pointer,
        id: replay.id,
        outcome: replay.outcome,
        outcomeSentence: replay.outcomeSentence,
        verdict: replay.comparison?.verdict ?? null,
        sentence: replay.comparison?.sentence ?? null,
      })),
    });
  } else {
    writeWords(
      terminal,
      formatTable(
        replays.map(({ call, replay }) => [
          visible(call.change.pointer),
          replay.outcome ?? '',
          replay.comparison?.verdict ?? '',
          visible(replay.comparison?.sentence ?? replay.outcomeSentence ?? ''),
          replay.id,
        ]),
      ),
    );
    if (reason !== null) writeWords(terminal, `${visible(reason)}\n`);
    if (ending === 'stopped') {
      writeWords(terminal, `Stopped after ${replays.length} of ${plan.calls.length} calls.\n`);
    }
  }
  return ending === 'complete' ? 0 : 1;
}

function wordChange(change: { before: string | null; after: string | null }): string {
  const word = (text: string | null, none: string) =>
    text === null ? none : shorten(visible(text), 60);
  return `${word(change.before, 'not there')} -> ${word(change.after, 'taken out')}`;
}
