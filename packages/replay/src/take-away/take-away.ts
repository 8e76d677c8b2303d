import { type JsonDocument, parseJson } from '@misstep/json';
import { MODERN_REVISION } from '@misstep/mcp';
import { fail, ok, type Result, type TargetAddress } from '@misstep/model';
import { curlScript } from './curl.ts';
import { type NeededValues, neededValues, type TakeAwaySettings } from './needed-values.ts';
import { nodeTest } from './node-test.ts';
import { pytestFile } from './pytest.ts';
import { rawFrames } from './raw-frames.ts';
import { leaveSecretsOut } from './secrets.ts';
import { shellLine } from './shell-line.ts';

export const TAKE_AWAY_FORMS = ['curl', 'shell', 'node', 'pytest', 'frames'] as const;
export type TakeAwayForm = (typeof TAKE_AWAY_FORMS)[number];

/** A call that is to be repeated without Misstep. */
export interface TakeAwayCall {
  readonly tool: string;
  /** JSON text of one object, sent as it is where the form allows it. */
  readonly argumentsText: string;
  readonly address: TargetAddress;
  readonly settings: TakeAwaySettings;
  /** What to know of it beside what the form says itself; absent = nothing. */
  readonly notes?: readonly string[];
}

export interface TakeAway {
  readonly fileName: string;
  readonly text: string;
  /** What is not as in the call, or has to be put in; the text holds the same as comments. */
  readonly notes: readonly string[];
}

/** What the forms are made from: a call that was checked, without secrets. */
export interface CheckedCall extends TakeAwayCall {
  readonly document: JsonDocument;
  readonly notes: readonly string[];
  readonly needed: NeededValues;
}

/**
 * A call as text that repeats it elsewhere. Secrets in the target's address are left out and named
 * in the notes, and so are headers and environment that the target gets. The error is one sentence. Pure: nothing is started.
 */
export function takeAway(form: TakeAwayForm, call: TakeAwayCall): Result<TakeAway, string> {
  const parsed = parseJson(call.argumentsText);
  if (!parsed.ok) return fail(`The arguments are not JSON. ${parsed.error.message}`);
  if (parsed.value.root.kind !== 'object') return fail('The arguments are not one JSON object.');
  if (LONE_SURROGATE.test(call.argumentsText)) {
    return fail("The arguments hold half of a surrogate pair, which UTF-8 can't carry.");
  }
  const { protocolRevision } = call.settings;
  if (protocolRevision === MODERN_REVISION) {
    return fail(
      `Every form opens a conversation with initialize, and ${protocolRevision} has none: send it with misstep replay, whose exact messages misstep receipt export gives.`,
    );
  }
  const { address, notes } = leaveSecretsOut(call.address);
  const needed = neededValues(address, call.settings);
  const checked: CheckedCall = {
    ...call,
    address,
    document: parsed.value,
    notes: [...(call.notes ?? []), ...notes, ...needed.notes],
    needed,
  };
  switch (form) {
    case 'curl':
      return curlScript(checked);
    case 'shell':
      return shellLine(checked);
    case 'node':
      return ok(nodeTest(checked));
    case 'pytest':
      return ok(pytestFile(checked));
    case 'frames':
      return ok(rawFrames(checked));
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;
