import type { ArgumentCheck, StepTool } from '@misstep/contract';
import { decodeUtf8 } from '@misstep/json';
import { maskSecrets } from '@misstep/mcp';
import { MisstepError, type RunId, type StepId, type TargetName } from '@misstep/model';
import {
  askToolList,
  CheckBudget,
  checkArguments,
  checkToolList,
  compareDefinitions,
  compareToolLists,
  MisstepStopped,
  maskStrings,
  nearestNames,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { MAX_FRAME_BYTES } from './replay/frame-cap.ts';
import { readRecordedDefinition } from './replay/recorded-call.ts';
import { refused } from './replay/refusals.ts';
import type { ReplayService } from './replay-service.ts';
import type { KnownToolList, KnownToolLists } from './schema/known-tool-lists.ts';
import { readRecordedTools } from './schema/recorded-tools.ts';
import { shownDefinition, shownDrift, shownToolList } from './schema/shown-schema.ts';
import type { SecretService } from './secret-service.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

/** While somebody types: a schema that takes longer must not hold everybody else up. */
const TYPING_TOTAL_MS = 1000;
const TYPING_ONCE_MS = 500;
/** How long a schema that took too long is not tried again. */
const REST_MS = 30_000;

/** A call's place and the target that it would go to. */
export interface ToolPlace {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly targetName: TargetName;
}

/** Tools' definitions around a draft. Only `ask` connects to anyone. */
export interface ToolService {
  /** What is known of the step's tool: recorded, live, and what changed. */
  describe(place: ToolPlace): Promise<StepTool>;
  /** By the live definition, else the recorded one; null where there is neither. */
  check(place: ToolPlace & { readonly argumentsText: string }): Promise<ArgumentCheck | null>;
  /** Starts or calls a confirmed target and lists its tools: REPLAY_REFUSED, TOOLS_NOT_LISTED. */
  ask(name: TargetName, timeoutMs: number): Promise<AskedTools>;
  close(): Promise<void>;
}

export interface AskedTools {
  readonly toolCount: number;
  readonly server: { readonly name: string | null; readonly version: string | null };
  readonly at: string;
}

export interface ToolServiceOptions {
  readonly store: Store;
  readonly values: ValueReader;
  readonly secrets: SecretService;
  readonly replays: Pick<ReplayService, 'isBusy'>;
  readonly exits: Pick<ExitService, 'ofReplay' | 'ofTarget'>;
  readonly knownTools: KnownToolLists;
  readonly version: string;
}

export function createToolService(options: ToolServiceOptions): ToolService {
  return new Tools(options);
}

class Tools implements ToolService {
  readonly #options: ToolServiceOptions;
  readonly #known: KnownToolLists;
  readonly #asking = new Map<TargetName, Promise<AskedTools>>();
  readonly #stop = new AbortController();
  /** Definitions that took too long, and until when they rest. */
  readonly #resting = new Map<string, number>();

  constructor(options: ToolServiceOptions) {
    this.#options = options;
    this.#known = options.knownTools;
  }

  async describe(place: ToolPlace): Promise<StepTool> {
    const list = await this.#newest(place);
    return this.#masked(place, list, await this.#describe(place, list));
  }

  async #newest({ targetName }: ToolPlace): Promise<KnownToolList | null> {
    return this.#known.newest(await this.#options.store.getTarget(targetName));
  }

  /** Without what is a secret of the target, and what was one when the server listed its tools. */
  async #masked<Value>(
    { targetName }: ToolPlace,
    list: KnownToolList | null,
    value: Value,
  ): Promise<Value> {
    const { exits, store } = this.#options;
    const replayId = list?.replayId ?? null;
    const { inTexts } =
      replayId === null
        ? await exits.ofTarget(targetName)
        : await exits.ofReplay(await store.getReplay(replayId));
    return maskStrings(value, [...(list?.holds ?? []), ...inTexts]);
  }

  async #describe({ runId, stepId }: ToolPlace, list: KnownToolList | null): Promise<StepTool> {
    const { store, values } = this.#options;
    const step = await store.getStep(runId, stepId);
    const tool = step.tool ?? step.name;
    const bytes = await readRecordedDefinition(store, values, runId, step.server, tool);
    const recorded = bytes === null ? null : decodeUtf8(bytes).text;
    const shownRecorded = recorded === null ? null : shownDefinition(recorded);
    if (list === null) {
      return { tool, live: null, recorded: shownRecorded, drift: null, listDrift: null };
    }
    const { from, replayId, at, server, tools } = list;
    const listed = tools.find(({ name }) => name === tool);
    const recordedTools = await readRecordedTools(store, values, runId, step.server);
    return {
      tool,
      live: {
        from,
        replayId,
        at,
        server,
        definition:
          listed === undefined
            ? null
            : {
                ...shownDefinition(listed.definitionText),
                readOnlyHint: listed.readOnlyHint,
                destructiveHint: listed.destructiveHint,
              },
        nearest:
          listed === undefined
            ? nearestNames(
                tool,
                tools.map(({ name }) => name),
                5,
              )
            : [],
        toolList: shownToolList(checkToolList(tools)),
      },
      recorded: shownRecorded,
      drift:
        listed === undefined || recorded === null
          ? null
          : shownDrift(compareDefinitions(recorded, listed.definitionText)),
      listDrift: recordedTools.length === 0 ? null : compareToolLists(recordedTools, tools),
    };
  }

  async check(
    place: ToolPlace & { readonly argumentsText: string },
  ): Promise<ArgumentCheck | null> {
    const list = await this.#newest(place);
    return this.#masked(place, list, await this.#check(place, list));
  }

  async #check(
    place: ToolPlace & { readonly argumentsText: string },
    list: KnownToolList | null,
  ): Promise<ArgumentCheck | null> {
    const { store, values } = this.#options;
    const step = await store.getStep(place.runId, place.stepId);
    const tool = step.tool ?? step.name;
    const listed = list?.tools.find(({ name }) => name === tool);
    if (listed !== undefined) return this.#checked('live', listed.definitionText, place);
    if (list !== null) return null;
    const bytes = await readRecordedDefinition(store, values, place.runId, step.server, tool);
    if (bytes === null) return null;
    return this.#checked('recorded', decodeUtf8(bytes).text, place);
  }

  ask(name: TargetName, timeoutMs: number): Promise<AskedTools> {
    // A second press while the first is under way is the same question.
    const asking = this.#asking.get(name);
    if (asking !== undefined) return asking;
    const asked = this.#ask(name, timeoutMs).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asked);
    return asked;
  }

  async close(): Promise<void> {
    this.#stop.abort(new MisstepStopped());
    await Promise.allSettled(this.#asking.values());
  }

  async #ask(name: TargetName, timeoutMs: number): Promise<AskedTools> {
    const { store, replays, secrets, version } = this.#options;
    const target = await store.getTarget(name);
    if (target.confirmedAt === null) {
      throw refused({
        reason: 'targetNotConfirmed',
        sentence: `Target ${name} is not confirmed, so it was not started.`,
      });
    }
    if (replays.isBusy(name)) {
      throw refused({
        reason: 'alreadyRunning',
        sentence: `A replay to ${name} is running, so it was not asked. The replay's own frames will hold its tools.`,
      });
    }
    const given = await secrets.forConnection(target);
    if (!given.ok) throw refused(given.error);
    const asked = await askToolList({
      target,
      secrets: given.value,
      defaultCwd: store.targetFolder,
      timeoutMs,
      maxFrameBytes: MAX_FRAME_BYTES,
      misstepVersion: version,
      signal: this.#stop.signal,
    });
    if (!asked.ok) {
      throw new MisstepError('TOOLS_NOT_LISTED', maskSecrets(asked.error, given.value));
    }
    const { tools, server, at } = this.#known.remember(target, asked.value, given.value);
    return { toolCount: tools.length, server: maskStrings(server, given.value), at };
  }

  #checked(
    by: ArgumentCheck['by'],
    definitionText: string,
    { argumentsText }: { readonly argumentsText: string },
  ): ArgumentCheck {
    const isResting = (this.#resting.get(definitionText) ?? 0) > Date.now();
    // No time at all gives the same words as a time that is over.
    const budget = isResting
      ? new CheckBudget(0, 0)
      : new CheckBudget(TYPING_TOTAL_MS, TYPING_ONCE_MS);
    const check = checkArguments(definitionText, argumentsText, budget);
    if (!isResting) {
      this.#resting.delete(definitionText);
      if (budget.ranOut) {
        if (this.#resting.size > 100) this.#resting.clear();
        this.#resting.set(definitionText, Date.now() + REST_MS);
      }
    }
    return { by, ...check };
  }
}
