import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ERROR_CATALOGUE,
  isMisstepError,
  MisstepError,
  type SourceHash,
  SourceHashSchema,
} from '@misstep/model';
import type { Services } from '@misstep/server';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { findRun } from '../find-run.ts';
import { makeNewFile } from '../new-file.ts';
import { tell } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const exportSourceCommand: Command = {
  name: 'export-source',
  summary: 'Write a source byte for byte: by its SHA-256, or the main source of a run.',
  usage: 'RUN|SHA256',
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      text: 'A new file; standard output if not given, where that is no terminal.',
    },
  },
  async run(input) {
    const { terminal, options } = input;
    const [given = ''] = takePositionals(input, 'RUN|SHA256');
    const out = textOption(options, 'out');
    if (out === null && terminal.stdout.isTTY === true) {
      throw new UsageError('Bytes are not written to a terminal: give --out FILE, or pipe them.');
    }
    const services = await input.services();
    const sha256 = await sourceOf(services, given);
    const path = await services.store.sourcePath(sha256);
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    if (out !== null) {
      const file = await makeNewFile(out);
      await file.fill((stream) => pipeline(createReadStream(path), hashing, stream));
    } else {
      await pipeline(createReadStream(path), hashing, terminal.stdout, { end: false });
    }
    if (hash.digest('hex') !== sha256) {
      tell(terminal, 'The bytes are not those that were imported: the file was changed on disk.');
      return 1;
    }
    if (out !== null) tell(terminal, `Wrote ${visible(out)}, SHA-256 ${sha256}.`);
    return 0;
  },
};

async function sourceOf(services: Services, given: string): Promise<SourceHash> {
  const hash = SourceHashSchema.safeParse(given);
  if (hash.success) {
    if ((await services.store.findSource(hash.data)) !== null) return hash.data;
    throw nothingThere('SOURCE_NOT_FOUND', given);
  }
  const stored = await services.store.getRun(
    await findRun(services, given).catch((error) => {
      const isUnknown = isMisstepError(error) && error.message === `There is no run ${given}.`;
      throw isUnknown ? nothingThere('RUN_NOT_FOUND', given) : error;
    }),
  );
  // What was unpacked is a source too, but the one that came is what the person has.
  const container = stored.sources.findLast(({ role }) => role === 'container');
  const main = container ?? stored.sources.find(({ role }) => role === 'main');
  if (main === undefined) {
    throw new MisstepError('SOURCE_NOT_FOUND', `The run ${given} has no source any more.`);
  }
  return main.sha256;
}

function nothingThere(code: 'SOURCE_NOT_FOUND' | 'RUN_NOT_FOUND', given: string): MisstepError {
  const message = `There is no run and no source ${given}.`;
  return new MisstepError(code, message, {}, { hint: ERROR_CATALOGUE.RUN_NOT_FOUND.hint });
}
