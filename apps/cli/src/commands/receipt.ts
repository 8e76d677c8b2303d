import { readFile } from 'node:fs/promises';
import { isMisstepError, MisstepError, noDefinitionWords, type Receipt } from '@misstep/model';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { describeDuration } from '../describe-run.ts';
import { codeOf, fileTrouble } from '../file-trouble.ts';
import { writeNewFile } from '../new-file.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { shorten, visible } from '../terminal/visible.ts';

export const receiptShowCommand: Command = {
  name: 'receipt show',
  summary: 'Show the account of a replay: what was pinned, what was sent, what came back.',
  usage: 'REPLAY',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY');
    const { receipts } = await input.services();
    const shown = await receipts.show(await receipts.find(given));
    const { receipt, pins, meaning } = shown;
    const { notSentAgain, notSentAgainWhy } = shown;
    if (json) {
      const { receiptText, receiptSha256 } = shown;
      const about = { receipt, receiptText, receiptSha256, pins, meaning };
      const { notChecked } = shown;
      writeJson(terminal, { ...about, notSentAgain, notSentAgainWhy, notChecked });
      return 0;
    }
    const { result, target } = receipt;
    writeWords(
      terminal,
      formatTable([
        ['receipt', `${receipt.id}, version ${receipt.receiptVersion}`],
        ['call', `${receipt.tool}, step ${receipt.stepSeq} of ${receipt.runId}`],
        ['target', `${target.name}, ${receipt.transport}, a fresh connection`],
        ['protocol', describeProtocol(receipt)],
        ['at', receipt.startedAt],
        ['took', describeDuration(receipt.callDurationNs) || 'no answer'],
        ...(receipt.asks === undefined ? [] : [['server asked', describeAsks(receipt.asks)]]),
        ['outcome', receipt.outcome],
        ['arguments', `${receipt.arguments.sizeBytes} bytes, SHA-256 ${receipt.arguments.sha256}`],
        ['tool', receipt.toolDefinition.sha256 ?? noDefinitionWords(receipt) ?? 'none'],
        [
          'result',
          result.sha256 === null
            ? 'none'
            : `${result.sizeBytes ?? 0} bytes, SHA-256 ${result.sha256}`,
        ],
        ...pins.map(({ name, words }) => [name, words]),
        ...(notSentAgainWhy === null ? [] : [['not sent again', notSentAgainWhy]]),
        ...(notSentAgain ?? []).map(({ pointer, text, why }) => [
          'not sent again',
          `${pointer} ${shorten(text, 40)}: ${why}`,
        ]),
      ]),
    );
    writeWords(terminal, `${visible(meaning)}\n`);
    if (shown.notChecked !== undefined) tell(terminal, visible(shown.notChecked));
    return 0;
  },
};

export const receiptVerifyCommand: Command = {
  name: 'receipt verify',
  summary: 'Recompute what a receipt says from the frames, of a replay or of an exported file.',
  usage: 'REPLAY|FILE',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY|FILE');
    const { receipts } = await input.services();
    const bytes = await readWhereThere(given);
    const found =
      bytes === null
        ? await receipts.verify(await receipts.find(given).catch(explainNeither(given)))
        : await receipts.verifyFile(bytes);
    if (json) {
      const { receipt, verified, sentence, checks } = found;
      writeJson(terminal, { id: receipt?.id ?? null, verified, sentence, checks });
    } else {
      writeWords(terminal, `${visible(found.sentence)}\n`);
      const open = found.checks.filter(({ state }) => state !== 'matches');
      const cell = (text: string | null) => text ?? '-';
      const rows = open.map(({ field, state, inReceipt, inFrames, note }) => [
        field,
        state,
        cell(inReceipt),
        cell(inFrames),
        note ?? '',
      ]);
      const head = ['field', 'state', 'in the receipt', 'by the frames', 'note'];
      writeWords(terminal, formatTable(rows.length === 0 ? [] : [head, ...rows]));
    }
    return found.verified ? 0 : 1;
  },
};

export const receiptExportCommand: Command = {
  name: 'receipt export',
  summary:
    'Write the frames of a replay and its receipt into one file, without secrets in the address.',
  usage: 'REPLAY --out FILE',
  options: { out: { type: 'string', value: 'FILE', text: 'Where to; it must not exist yet.' } },
  async run(input) {
    const { terminal, options, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY');
    const out = textOption(options, 'out');
    if (out === null) throw new UsageError('--out is missing.');
    const { receipts } = await input.services();
    const id = await receipts.find(given);
    const { bytes, notes } = await receipts.export(id);
    await writeNewFile(out, bytes);
    if (json) writeJson(terminal, { id, path: out, sizeBytes: bytes.length, notes });
    else tell(terminal, `Wrote ${visible(out)}, ${bytes.length} bytes.`);
    for (const note of notes) tell(terminal, visible(note));
    return 0;
  },
};

function describeProtocol({ protocolRevision, protocolEra, rounds = 1 }: Receipt): string {
  const era = protocolEra == null ? '' : `, ${protocolEra} era`;
  const requests = rounds > 1 ? `, ${rounds} requests for the call` : '';
  return `${protocolRevision ?? 'not agreed on'}${era}${requests}`;
}

/** Who answered what the server asked meanwhile, and what it took of the call's time. */
function describeAsks(asks: NonNullable<Receipt['asks']>): string {
  const { byPerson, byDefault, unanswered, waitedNs } = asks;
  return [
    `${byPerson} answered by you`,
    `${byDefault} by default`,
    ...(unanswered === 0 ? [] : [`${unanswered} unanswered`]),
    ...(waitedNs === null ? [] : [`${describeDuration(waitedNs)} of the call's time`]),
  ].join(', ');
}

/** The word was no file either: a mistyped path is as likely as a mistyped id. */
function explainNeither(given: string): (error: unknown) => never {
  return (error) => {
    const isUnknown = isMisstepError(error) && error.message === `There is no replay ${given}.`;
    if (!isUnknown) throw error;
    throw new MisstepError(
      'REPLAY_NOT_FOUND',
      `There is no file ${given} here, and no replay whose id begins so.`,
      {},
      { hint: 'Check the path of the exported file, or take the id from `misstep show RUN STEP`.' },
    );
  };
}

/** Null where there is no such file, so that the word may be the id of a replay. */
async function readWhereThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UsageError(`${visible(path)} cannot be read (${fileTrouble(error)}).`);
  }
}
