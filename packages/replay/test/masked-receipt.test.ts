import { encodeFrameRecord, readFrameLog } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import {
  type ExitSecrets,
  exportReceipt,
  findLogSecrets,
  type ReceiptVerification,
  unpackReceipt,
  verifyReceipt,
} from '../src/index.ts';
import { endingOf, type Replayed, replayOnce, stdioTarget } from './replay-once.ts';

const KEY = 'shelf-key-0123456789';
const secrets = {
  environment: new Map([['SHELF_KEY', KEY]]),
  headers: new Map<string, string>(),
};

/** As an export is made once nobody knows the value any more. */
function exported(run: Replayed): Uint8Array {
  const { receiptText, secretPlaces } = endingOf(run);
  const known: ExitSecrets = {
    inLog: { values: undefined, places: secretPlaces },
    inTexts: [],
    notChecked: null,
  };
  return exportReceipt(run.frameLog, receiptText, known).bytes;
}

function verify(file: Uint8Array): ReceiptVerification {
  const unpacked = unpackReceipt(file);
  if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
  return verifyReceipt(unpacked.receiptText, unpacked.frameLog, unpacked);
}

describe.concurrent('an export in which secrets were masked', () => {
  it('is confirmed by itself, but for what the secrets are a part of', async () => {
    const run = await replayOnce(stdioTarget('leaks-environment'), { secrets });
    const file = exported(run);
    expect(Buffer.from(file).includes(KEY)).toBe(false);
    const found = verify(file);
    expect(found.verified, found.sentence).toBe(true);
    expect(found.sentence).toContain('holds but for what was masked');
    expect(found.sentence).toContain('byte for byte those of the call outside');
    const byField = new Map(found.checks.map((each) => [each.field, each.state]));
    expect(byField.get('frameLog.masked.sha256')).toBe('matches');
    expect(byField.get('arguments.sha256')).toBe('matches');
    expect(found.checks.some(({ state }) => state === 'differs')).toBe(false);
  });

  it('is not, where a byte outside the masked places was changed, or another place was masked', async () => {
    const run = await replayOnce(stdioTarget('leaks-environment'), { secrets });
    const file = exported(run);
    const rewritten = (change: (text: string) => string) => {
      const parts = readFrameLog(file).entries.map((entry) => {
        const text = Buffer.from(entry.payload).toString('latin1');
        const payload = Buffer.from(entry.lane === '#' ? text : change(text), 'latin1');
        return encodeFrameRecord({ ...entry, payload });
      });
      return Buffer.concat([Buffer.from('misstep-frames 1\n'), ...parts]);
    };
    expect(verify(rewritten((text) => text)).verified).toBe(true);
    for (const [from, to] of [
      ['has expired', 'was revoked'],
      ['"shelf":"A-7"', '"shelf":"A-8"'],
      ['"shelf":"A-7"', '"shelf":"(secret SHELF_KEY)"'],
    ] as const) {
      const changed = verify(rewritten((text) => text.replace(from, to)));
      expect(changed.verified, `${from} to ${to}: ${changed.sentence}`).toBe(false);
    }
  });

  it('says of receipts from before that what held a secret can’t match', async () => {
    const run = await replayOnce(stdioTarget('leaks-environment'), { secrets });
    const { receipt, secretPlaces } = endingOf(run);
    const { masked: _, ...frameLog } = receipt.frameLog ?? { sizeBytes: 0, sha256: '' };
    const earlier = `${JSON.stringify({ ...receipt, frameLog }, null, 2)}\n`;
    const whole = verifyReceipt(earlier, run.frameLog);
    expect([whole.verified, whole.maskedCount]).toEqual([true, 0]);
    const inLog = { values: secrets, places: null };
    const known = { inLog, inTexts: [], notChecked: 'Not checked.' };
    const found = verify(exportReceipt(run.frameLog, earlier, known).bytes);
    expect(found.verified).toBe(false);
    expect(found.sentence).toContain('Secrets of the target were masked');
    expect(secretPlaces.places.length).toBeGreaterThan(0);
  });
});

describe('the places of secrets in a log', () => {
  it('are found again in the same bytes, and name no value', async () => {
    const run = await replayOnce(stdioTarget('dies-with-environment'), { secrets });
    const { secretPlaces } = endingOf(run);
    const again = await findLogSecrets(run.frameLog, secrets, stdioTarget('dies-with-environment'));
    expect(again).toEqual(secretPlaces);
    expect(JSON.stringify(secretPlaces)).not.toContain(KEY);
    const values = secretPlaces.places.map(([offset, length]) =>
      Buffer.from(run.frameLog)
        .subarray(offset, offset + length)
        .toString(),
    );
    expect(values).toContain(KEY);
  });
});
