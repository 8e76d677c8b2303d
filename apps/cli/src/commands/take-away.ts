import { readArguments, readTargetName } from '../call-options.ts';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { findRun, findStep } from '../find-run.ts';
import { writeNewFile } from '../new-file.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

const FORMS = ['curl', 'shell', 'node', 'pytest', 'frames'] as const;

export const takeAwayCommand: Command = {
  name: 'take-away',
  summary: 'Write a call as curl, a shell line, a Node test, a pytest or raw frames.',
  usage: 'RUN STEP --target NAME --as FORM',
  options: {
    target: { type: 'string', value: 'NAME', text: 'The target whose address is used.' },
    as: { type: 'string', value: 'FORM', text: `${FORMS.join(', ')}.` },
    arguments: {
      type: 'string',
      value: 'FILE',
      text: 'JSON to use as arguments instead of the recorded ones; - for standard input.',
    },
    tool: { type: 'string', value: 'NAME', text: 'Tool to call instead of the recorded one.' },
    out: { type: 'string', value: 'FILE', text: 'A new file; standard output if not given.' },
  },
  async run(input) {
    const { terminal, options, json } = input;
    const [givenRun = '', givenStep = ''] = takePositionals(input, 'RUN', 'STEP');
    const targetName = readTargetName(textOption(options, 'target'));
    const form = FORMS.find((each) => each === textOption(options, 'as'));
    if (form === undefined) throw new UsageError(`--as must be one of ${FORMS.join(', ')}.`);
    const file = textOption(options, 'arguments');
    const argumentsText = file === null ? null : await readArguments(file, terminal.stdin);
    const services = await input.services();
    const runId = await findRun(services, givenRun);
    const step = findStep(await services.store.listSteps(runId), givenStep);
    const { fileName, text, notes } = await services.takeAway.make({
      form,
      runId,
      stepId: step.id,
      targetName,
      argumentsText,
      tool: textOption(options, 'tool'),
    });
    const out = textOption(options, 'out');
    if (out !== null) await writeNewFile(out, text);
    if (json) writeJson(terminal, { as: form, fileName, text, notes });
    else if (out !== null) tell(terminal, `Wrote ${visible(out)}.`);
    else {
      const shown = text.split('\n');
      if (terminal.stdout.isTTY === true && shown.some((line) => visible(line) !== line)) {
        throw new UsageError('It holds characters that a terminal obeys: give --out FILE.');
      }
      writeWords(terminal, text);
    }
    for (const note of notes) tell(terminal, visible(note));
    return 0;
  },
};
