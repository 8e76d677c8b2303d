import { parseJson, parseJsonBytes } from '@misstep/json';
import { type Receipt, ReceiptSchema } from '@misstep/model';
import { endingOfAnswer } from '../ending.ts';
import { sha256 } from '../receipt.ts';
import { CANONICAL_FORMS } from './canonical-forms.ts';
import { type LoggedCall, readLoggedCall } from './logged-call.ts';

/** One thing that a receipt says, held against the frames. */
export interface ReceiptCheck {
  /** The receipt's field, as a dotted path, e.g. `arguments.sha256`. */
  readonly field: string;
  readonly state: 'matches' | 'differs' | 'cannot be checked';
  readonly inReceipt: string | null;
  readonly inFrames: string | null;
  /** Why it can't be checked, or what to know of the difference; null where the values say all. */
  readonly note: string | null;
}

export interface ReceiptVerification {
  /** Null where the receipt can't be read. */
  readonly receipt: Receipt | null;
  /**
   * True where every check matches; in a masked export where all match but those of which masked
   * values are a part, and the frames are those of the call but for the masked places.
   */
  readonly verified: boolean;
  readonly sentence: string;
  readonly checks: readonly ReceiptCheck[];
  /** Places where secrets of the target were masked when the log was exported. */
  readonly maskedCount: number;
}

const WHOLE = { leftOut: [], isAsPacked: true };

/** The log as it was captured, but for what was masked: the rest of it is covered by this hash. */
const MASKED_LOG = 'frameLog.masked.sha256';
const HOLDS_MASKED = 'masked values stand in it, and the receipt tells of it before that';

const NOT_AS_PACKED: ReceiptCheck = {
  field: 'receipt record',
  state: 'differs',
  inReceipt: null,
  inFrames: null,
  note: "the receipt's own record, or what follows it, is not as an export writes it",
};

/**
 * Recomputes from the frame log what a receipt says of the call, tool definition, result, server
 * and outcome, by the canonical form that the receipt names, and the hash of the log as a whole. Never throws: an unreadable receipt
 * is a verification that failed.
 */
export function verifyReceipt(
  receiptText: string,
  frameLog: Uint8Array,
  /** Of an exported file: whether something was left out of it, and whether all of it is an export's. */
  file: { readonly leftOut: readonly string[]; readonly isAsPacked: boolean } = WHOLE,
): ReceiptVerification {
  const read = readReceipt(receiptText);
  if (typeof read === 'string') {
    return { receipt: null, verified: false, sentence: read, checks: [], maskedCount: 0 };
  }
  const logged = readLoggedCall(frameLog);
  const { maskedCount } = logged.masked;
  const isChanged = maskedCount > 0 || file.leftOut.length > 0;
  const checks = [
    ...checkLog(read, logged),
    ...checkWholeLog(read, frameLog, logged, isChanged),
    ...(file.isAsPacked ? [] : [NOT_AS_PACKED]),
    ...checkArguments(read, logged),
    ...checkToolDefinition(read, logged),
    ...checkAnswer(read, logged),
    ...checkAsks(read, logged),
    ...checkServer(read, logged),
  ];
  return concludeReceipt(read, withoutMasked(checks, logged, read.tool), maskedCount);
}

/** A check that differs because masked values are a part of what it is of says nothing. */
function withoutMasked(
  checks: readonly ReceiptCheck[],
  logged: LoggedCall,
  tool: string,
): readonly ReceiptCheck[] {
  const isCovered = checks.some(({ field, state }) => field === MASKED_LOG && state === 'matches');
  if (!isCovered) return checks;
  const holdsMasked = (bytes: Uint8Array | null | undefined) =>
    bytes != null && logged.masked.masks.some((mask) => Buffer.from(bytes).includes(mask));
  const listed = logged.listedTools.find(({ name }) => name === tool);
  const isMasked: Readonly<Record<string, boolean>> = {
    arguments: holdsMasked(logged.argumentsBytes),
    result: holdsMasked(logged.answerBytes),
    toolDefinition: holdsMasked(listed?.definitionBytes),
  };
  return checks.map((each) =>
    each.state === 'differs' && isMasked[each.field.split('.', 1)[0] ?? ''] === true
      ? { ...each, state: 'cannot be checked', note: HOLDS_MASKED }
      : each,
  );
}

/** The receipt, or one sentence why there is none. */
function readReceipt(text: string): Receipt | string {
  if (!parseJson(text).ok) return 'The receipt is not JSON.';
  // A receipt is Misstep's own envelope of texts and small numbers: nothing in it can be rounded.
  const read = ReceiptSchema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return `The receipt can't be read: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
}

/** The verification that these checks make. */
export function concludeReceipt(
  receipt: Receipt,
  checks: readonly ReceiptCheck[],
  maskedCount: number,
): ReceiptVerification {
  const fields = (state: ReceiptCheck['state']) =>
    checks.filter((check) => check.state === state).map(({ field }) => field);
  const differs = fields('differs');
  const open = fields('cannot be checked');
  const parts = [
    ...(differs.length === 0 ? [] : [`it does not match its frames in ${differs.join(', ')}`]),
    ...(open.length === 0 ? [] : [`${open.join(', ')} can't be checked`]),
  ];
  const isCovered = checks.some(({ field }) => field.startsWith('frameLog'));
  const uncovered = isCovered
    ? ''
    : ' It is of an earlier version: the frames as a whole are not covered by this receipt.';
  const holdsButMasked =
    checks.some(({ field, state }) => field === MASKED_LOG && state === 'matches') &&
    checks.every(({ state, note }) => state === 'matches' || note === HOLDS_MASKED);
  const sentence = holdsButMasked
    ? butMasked(checks, open, maskedCount)
    : parts.length === 0
      ? `The receipt holds: all ${checks.length} checks against its frames match.${uncovered}`
      : `The receipt is not confirmed: ${parts.join('; ')}.${maskedWords(maskedCount)}`;
  return {
    receipt,
    verified: holdsButMasked || parts.length === 0,
    sentence,
    checks,
    maskedCount,
  };
}

function butMasked(
  checks: readonly ReceiptCheck[],
  open: readonly string[],
  maskedCount: number,
): string {
  const places = `${maskedCount} ${maskedCount === 1 ? 'place' : 'places'}`;
  const rest =
    open.length === 0
      ? ''
      : ` Not verified, for masked values are a part of it: ${open.join(', ')}.`;
  return `The receipt holds but for what was masked: ${checks.length - open.length} checks match, and the frames are byte for byte those of the call outside ${places} where secrets stood.${rest}`;
}

function maskedWords(maskedCount: number): string {
  return maskedCount === 0
    ? ''
    : ` Secrets of the target were masked in ${maskedCount === 1 ? '1 place' : `${maskedCount} places`} when it was exported; what held them can't match.`;
}

function checkLog(receipt: Receipt, logged: LoggedCall): ReceiptCheck[] {
  const [transport = null] = logged.transports;
  return [
    {
      field: 'frames',
      state: logged.damageCount === 0 ? 'matches' : 'differs',
      inReceipt: null,
      inFrames: `${logged.damageCount} damaged stretches`,
      note: logged.damageCount === 0 ? null : 'the frame log is damaged',
    },
    check('transport', receipt.transport, logged.transports.length > 1 ? 'several' : transport),
  ];
}

/** Whatever stands in no other check: notifications, stderr, events, times, connections. */
function checkWholeLog(
  { frameLog }: Receipt,
  bytes: Uint8Array,
  { masked }: LoggedCall,
  isChanged: boolean,
): ReceiptCheck[] {
  if (frameLog === undefined) return [];
  const found = check('frameLog.sha256', frameLog.sha256, sha256(bytes));
  if (found.state === 'matches' || !isChanged) return [found];
  if (frameLog.masked !== undefined && masked.before !== null) {
    const outside = check(MASKED_LOG, frameLog.masked.sha256, sha256(masked.before));
    if (outside.state === 'matches') return [outside];
  }
  const note =
    'values were masked or left out when the file was exported, and the hash is of the frames before that';
  return [{ ...found, state: 'cannot be checked', note }];
}

function checkArguments(receipt: Receipt, logged: LoggedCall): ReceiptCheck[] {
  const { sizeBytes, canonicalSha256, recordedSha256, sameBytesAsRecorded } = receipt.arguments;
  const { argumentsText, argumentsBytes } = logged;
  const same = recordedSha256 === null ? null : String(recordedSha256 === receipt.arguments.sha256);
  const inner = check(
    'arguments.sameBytesAsRecorded',
    sameBytesAsRecorded === null ? null : String(sameBytesAsRecorded),
    same,
  );
  if (argumentsBytes === null || argumentsText === null) {
    // Ended before the call left: what would have gone out is in no frame.
    const neverLeft = !['result', 'toolError', 'protocolError'].includes(receipt.outcome);
    const note = neverLeft ? 'the call never left' : 'the frames hold no call';
    const state = neverLeft ? 'cannot be checked' : 'differs';
    return [
      { field: 'arguments', state, inReceipt: receipt.arguments.sha256, inFrames: null, note },
      inner,
    ];
  }
  return [
    check('pins.attempts', String(receipt.rounds ?? 1), String(logged.callCount)),
    check('tool', receipt.tool, logged.tool),
    check('arguments.sizeBytes', String(sizeBytes), String(argumentsBytes.length)),
    check('arguments.sha256', receipt.arguments.sha256, sha256(argumentsBytes)),
    checkCanonical('arguments.canonicalSha256', receipt, canonicalSha256, argumentsText),
    inner,
  ];
}

function checkToolDefinition(receipt: Receipt, logged: LoggedCall): ReceiptCheck[] {
  const { sha256: inReceipt, readOnlyHint, destructiveHint } = receipt.toolDefinition;
  const listed = logged.listedTools.find(({ name }) => name === receipt.tool);
  return [
    check(
      'toolDefinition.sha256',
      inReceipt,
      listed === undefined ? null : sha256(listed.definitionBytes),
    ),
    check('toolDefinition.readOnlyHint', textOf(readOnlyHint), textOf(listed?.readOnlyHint)),
    check(
      'toolDefinition.destructiveHint',
      textOf(destructiveHint),
      textOf(listed?.destructiveHint),
    ),
  ];
}

function checkAsks({ asks }: Receipt, logged: LoggedCall): ReceiptCheck[] {
  if (asks === undefined && logged.asks === undefined) return [];
  return (['byPerson', 'byDefault', 'unanswered', 'waitedNs'] as const).map((name) =>
    check(`asks.${name}`, textOf(asks?.[name]), textOf(logged.asks?.[name])),
  );
}

function checkAnswer(receipt: Receipt, logged: LoggedCall): ReceiptCheck[] {
  const { answer, resultBytes, callDurationNs } = logged;
  const isAnswered = ['result', 'toolError', 'protocolError'].includes(receipt.outcome);
  if (!isAnswered) {
    // An answer may still have come while the connection was being closed: it didn't count.
    const says = receipt.result.sha256 !== null || receipt.callDurationNs !== null;
    return [
      {
        field: 'outcome',
        state: says ? 'differs' : 'matches',
        inReceipt: receipt.outcome,
        inFrames: answer === null ? 'no answer' : 'an answer after the replay had ended',
        note: says ? 'the receipt tells of an answer that its outcome excludes' : null,
      },
    ];
  }
  const parsed = resultBytes === null ? null : parseJsonBytes(resultBytes);
  return [
    check('outcome', receipt.outcome, outcomeOf(receipt, logged)),
    check(
      'callDurationNs',
      textOf(receipt.callDurationNs),
      callDurationNs === null ? null : String(callDurationNs),
    ),
    check('result.sizeBytes', textOf(receipt.result.sizeBytes), textOf(resultBytes?.length)),
    check(
      'result.sha256',
      receipt.result.sha256,
      resultBytes === null ? null : sha256(resultBytes),
    ),
    checkCanonical(
      'result.canonicalSha256',
      receipt,
      receipt.result.canonicalSha256,
      parsed?.ok ? parsed.value.text : null,
    ),
  ];
}

function outcomeOf(receipt: Receipt, { answer, hasErrorWithoutId, handshake }: LoggedCall): string {
  if (answer !== null) return endingOfAnswer(answer, receipt.tool, handshake.protocolEra).outcome;
  return hasErrorWithoutId ? 'protocolError' : 'no answer';
}

function checkServer(receipt: Receipt, logged: LoggedCall): ReceiptCheck[] {
  const { serverName, serverVersion, protocolRevision, protocolEra } = logged.handshake;
  return [
    check('server.name', receipt.server.name, serverName),
    check('server.version', receipt.server.version, serverVersion),
    check('protocolRevision', receipt.protocolRevision, protocolRevision),
    // Receipts of earlier versions don't say.
    ...(receipt.protocolEra === undefined
      ? []
      : [check('protocolEra', receipt.protocolEra, protocolEra)]),
  ];
}

function checkCanonical(
  field: string,
  receipt: Receipt,
  inReceipt: string | null,
  text: string | null,
): ReceiptCheck {
  const canonical = CANONICAL_FORMS.get(receipt.canonicalization);
  if (canonical === undefined) {
    const note = `this Misstep does not know the form "${receipt.canonicalization}"`;
    return { field, state: 'cannot be checked', inReceipt, inFrames: null, note };
  }
  const parsed = text === null ? null : parseJson(text);
  return check(field, inReceipt, parsed?.ok ? sha256(canonical(parsed.value)) : null);
}

function check(field: string, inReceipt: string | null, inFrames: string | null): ReceiptCheck {
  const state = inReceipt === inFrames ? 'matches' : 'differs';
  return { field, state, inReceipt, inFrames, note: null };
}

function textOf(value: boolean | number | null | undefined): string | null {
  return value == null ? null : String(value);
}
