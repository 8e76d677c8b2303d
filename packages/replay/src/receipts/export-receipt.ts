import type { KnownSecret, SecretSource } from '@misstep/mcp';
import { encodeFrameRecord, type Receipt, ReceiptSchema, readFrameLog } from '@misstep/model';
import { leaveSecretsOut } from '../take-away/secrets.ts';
import { LEFT_OUT, searchedInAddress } from './address-secrets.ts';
import { type LogSecrets, maskFrameLog } from './mask-frame-log.ts';
import { maskStrings } from './mask-strings.ts';
import { packReceipt } from './receipt-file.ts';

export interface ReceiptExport {
  readonly bytes: Uint8Array;
  /** The receipt as it stands in the file. */
  readonly receiptText: string;
  /** What was left out, and where a value still stands; empty = the file holds all as it was made. */
  readonly notes: readonly string[];
}

/** What may not leave with anything that was made of one replay or experiment. */
export interface ExitSecrets {
  /** In a frame log: by the places that were noted, and the values that are kept now. */
  readonly inLog: LogSecrets;
  /** In every text that was made of it: the same values, and what stands at those places. */
  readonly inTexts: readonly KnownSecret[];
  /** Why something may have stayed, in one sentence; null = all that was secret is known. */
  readonly notChecked: string | null;
}

export const NO_SECRETS: ExitSecrets = {
  inLog: { values: undefined, places: null },
  inTexts: [],
  notChecked: null,
};

/**
 * Frame log and receipt as one file to give away. What looks like a secret in the target's address
 * is left out of the receipt, and of what the process and the connection said; messages stay byte
 * for byte, since their hashes are what the receipt is for. What was or is a secret of the target
 * is masked wherever it stands, and counted. See docs/decisions/0057 and 0083.
 */
export function exportReceipt(
  original: Uint8Array,
  receiptText: string,
  { inLog, inTexts, notChecked }: ExitSecrets = NO_SECRETS,
): ReceiptExport {
  // Our own text: nothing in it can be rounded.
  const receipt = ReceiptSchema.parse(JSON.parse(receiptText));
  const { address, notes, values } = leaveSecretsOut(receipt.target.address);
  const { masked, fields } = maskReceipt(receipt, inTexts);
  const frameLog = maskFrameLog(original, inLog).frameLog;
  const open = notChecked === null ? [] : [notChecked];
  if (values.length === 0 && fields.length === 0) {
    const bytes = packReceipt(frameLog, receiptText, { leftOut: [], notChecked });
    return { bytes, receiptText, notes: open };
  }
  const leftOut = values.length === 0 ? fields : [...new Set(['target.address', ...fields])];
  const target = { ...receipt.target, address: maskStrings(address, inTexts) };
  const maskedText = `${JSON.stringify({ ...masked, target }, null, 2)}\n`;
  const { frames, log } = leaveOutOfLog(frameLog, searchedInAddress(receipt.target.address));
  const stays =
    frames === 0
      ? []
      : [
          `${frames} ${frames === 1 ? 'message holds' : 'messages hold'} such a value and stay as they crossed the transport: read them before you give the file away.`,
        ];
  return {
    bytes: packReceipt(log, maskedText, { leftOut, notChecked }),
    receiptText: maskedText,
    notes: [
      ...notes,
      ...(fields.length === 0
        ? []
        : [`Secrets of the target were masked in the receipt: ${fields.join(', ')}.`]),
      ...stays,
      ...open,
    ],
  };
}

/** The fields of a receipt that a server, or the person, has filled with words. */
function maskReceipt(
  receipt: Receipt,
  secrets: SecretSource,
): { readonly masked: Receipt; readonly fields: readonly string[] } {
  const { tool, server, protocolRevision, outcomeDetail, target } = receipt;
  const words = { tool, server, protocolRevision, outcomeDetail };
  const masked = maskStrings({ ...words, address: target.address }, secrets);
  const { address, ...clean } = masked;
  const isChanged = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const fields = [
    ...(isChanged(tool, clean.tool) ? ['tool'] : []),
    ...(isChanged(server, clean.server) ? ['server'] : []),
    ...(isChanged(protocolRevision, clean.protocolRevision) ? ['protocolRevision'] : []),
    ...(isChanged(outcomeDetail, clean.outcomeDetail) ? ['outcomeDetail'] : []),
    ...(isChanged(target.address, address) ? ['target.address'] : []),
  ];
  return { masked: { ...receipt, ...clean, target: { ...target, address } }, fields };
}

function leaveOutOfLog(
  frameLog: Uint8Array,
  values: readonly string[],
): { readonly log: Uint8Array; readonly frames: number } {
  const parts: Uint8Array[] = [];
  let frames = 0;
  let copied = 0;
  for (const entry of readFrameLog(frameLog).entries) {
    const text = Buffer.from(entry.payload).toString('latin1');
    const forms = values.flatMap((value) => formsOf(value)).filter((form) => text.includes(form));
    if (forms.length === 0) continue;
    if (entry.lane === '>' || entry.lane === '<') {
      frames += 1;
      continue;
    }
    const cleaned = forms.reduce((left, form) => left.replaceAll(form, LEFT_OUT), text);
    const payload = Buffer.from(cleaned, 'latin1');
    parts.push(frameLog.subarray(copied, entry.offset), encodeFrameRecord({ ...entry, payload }));
    copied = entry.offset + entry.length;
  }
  parts.push(frameLog.subarray(copied));
  return { log: Buffer.concat(parts), frames };
}

/** A value as it may stand in a text, in a URL and in a JSON string, as bytes of one character each. */
function formsOf(value: string): string[] {
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  return [...new Set(forms)].map((form) => Buffer.from(form, 'utf8').toString('latin1'));
}
