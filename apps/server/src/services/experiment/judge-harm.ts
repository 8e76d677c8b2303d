import { decodeUtf8, member, parseJson } from '@misstep/json';
import type { ExperimentPlan, Target } from '@misstep/model';
import type { RecordedCall } from '@misstep/replay';
import type { Store, StoredReplay } from '@misstep/store';
import { readRecordedDefinition } from '../replay/recorded-call.ts';
import type { KnownToolLists } from '../schema/known-tool-lists.ts';
import type { ValueReader } from '../value-reader.ts';

interface Options {
  readonly store: Store;
  readonly values: ValueReader;
  readonly knownTools: Pick<KnownToolLists, 'newest'>;
}

type Harm = Pick<ExperimentPlan, 'destructiveCount' | 'needsName' | 'harm'>;

/** What is known of the tool before anything is sent, and who says it. */
type Saying =
  | {
      readonly by: 'server' | 'recording';
      readonly isListed: true;
      readonly readOnlyHint: boolean | null;
      readonly destructiveHint: boolean | null;
    }
  | { readonly by: 'server'; readonly isListed: false }
  | { readonly by: null };

/** By what the server last said of the tool, else by the recorded definition. Asks nobody. */
export async function judgeHarm(
  options: Options,
  call: RecordedCall,
  target: Target,
  replays: readonly StoredReplay[],
  callCount: number,
): Promise<Harm> {
  const said =
    (await serverSaying(options, call, target, replays)) ?? (await recordingSaying(options, call));
  return wordHarm(said, call.tool, target.trustsReadOnlyHint, callCount);
}

/** In words what one plan may do; exported for its tests. */
export function wordHarm(said: Saying, tool: string, isTrusted: boolean, callCount: number): Harm {
  const mayChange = { destructiveCount: callCount, needsName: true };
  const each = 'Each call may change something at the server.';
  if (said.by === 'server' && !said.isListed) {
    return { ...mayChange, harm: `The server lists no ${tool}. ${each}` };
  }
  // Without the hint from the server itself only what is confirmed by name is sent.
  if (isTrusted && (said.by === null || (said.by === 'recording' && said.readOnlyHint === true))) {
    const known =
      said.by === null
        ? `Whether ${tool} only reads is not known: the server was not asked yet.`
        : `The recording’s definition says that ${tool} only reads; the server was not asked yet.`;
    const harm = `${known} It is asked first: without its readOnlyHint, which you trust, nothing is sent unless you confirm it by the tool’s name.`;
    return { destructiveCount: 0, needsName: false, harm };
  }
  if (said.by === null) {
    const harm = `Whether ${tool} only reads is not known: the server was not asked yet. ${each}`;
    return { ...mayChange, harm };
  }
  const who = said.by === 'server' ? 'The server says' : 'The recording’s definition says';
  const asked = said.by === 'server' ? '' : ' The server was not asked yet.';
  if (said.readOnlyHint === true) {
    if (isTrusted) {
      const harm = 'The server, which you trust in this, says that the tool only reads.';
      return { destructiveCount: 0, needsName: false, harm };
    }
    const harm = `${who} readOnlyHint of ${tool}, but you have not trusted this server in that.${asked} ${each}`;
    return { ...mayChange, harm };
  }
  if (said.destructiveHint === true) {
    return { ...mayChange, harm: `${who} destructiveHint of ${tool}.${asked} ${each}` };
  }
  const hint =
    said.readOnlyHint === false
      ? `${who} that ${tool} is not read-only.`
      : `${who} nothing of ${tool} being read-only.`;
  return { ...mayChange, harm: `${hint}${asked} ${each}` };
}

/** Null where this server, at this address, was never asked. */
async function serverSaying(
  { knownTools }: Options,
  { tool }: RecordedCall,
  target: Target,
  replays: readonly StoredReplay[],
): Promise<Saying | null> {
  const list = await knownTools.newest(target);
  if (list !== null) {
    const listed = list.tools.find(({ name }) => name === tool);
    if (listed === undefined) return { by: 'server', isListed: false };
    const { readOnlyHint, destructiveHint } = listed;
    return { by: 'server', isListed: true, readOnlyHint, destructiveHint };
  }
  // Frames that are too many to be read again: what the receipt kept of them.
  const address = JSON.stringify(target.address);
  const kept = replays.find(
    ({ receipt }) =>
      receipt?.toolDefinition.sha256 != null && JSON.stringify(receipt.target.address) === address,
  )?.receipt?.toolDefinition;
  if (kept === undefined) return null;
  const { readOnlyHint, destructiveHint } = kept;
  return { by: 'server', isListed: true, readOnlyHint, destructiveHint };
}

async function recordingSaying(
  { store, values }: Options,
  { runId, stepId, tool }: RecordedCall,
): Promise<Saying> {
  const { server } = await store.getStep(runId, stepId);
  const bytes = await readRecordedDefinition(store, values, runId, server, tool);
  const parsed = bytes === null ? null : parseJson(decodeUtf8(bytes).text);
  if (parsed === null || !parsed.ok) return { by: null };
  const { value } = parsed;
  const annotations = member(value, value.root, 'annotations');
  const hint = (name: string) => {
    const node = member(value, annotations, name);
    return node?.kind === 'literal' && typeof node.value === 'boolean' ? node.value : null;
  };
  return {
    by: 'recording',
    isListed: true,
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
  };
}
