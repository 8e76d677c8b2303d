import { userInfo } from 'node:os';
import { createReplayCall, type ReplayCall } from '@misstep/replay';
import { openStore, SecretFile, type Store } from '@misstep/store';
import { DEFAULT_PORT } from './default-port.ts';
import { HeavyWork } from './jobs/heavy-work.ts';
import { type ComparisonService, createComparisonService } from './services/comparison-service.ts';
import { createDemoService, type DemoService } from './services/demo-service.ts';
import { createExperimentService, type ExperimentService } from './services/experiment-service.ts';
import type { Surroundings } from './services/find/resolve-folder.ts';
import { createFindService, type FindService } from './services/find-service.ts';
import type { WatchTimes } from './services/follow/folder-watch.ts';
import { createFollowService, type FollowService } from './services/follow-service.ts';
import { createImportService, type ImportService } from './services/import-service.ts';
import { createLoopService, type LoopService } from './services/loop-service.ts';
import { createMarkService, type MarkService } from './services/mark-service.ts';
import { createPriceService, type PriceService } from './services/price-service.ts';
import { createReceiptService, type ReceiptService } from './services/receipt-service.ts';
import { createReceiverService, type ReceiverService } from './services/receiver-service.ts';
import { createReplayService, type ReplayService } from './services/replay-service.ts';
import { RunDerivations } from './services/run-derivations.ts';
import { createRunService, type RunService } from './services/run-service.ts';
import { KnownToolLists } from './services/schema/known-tool-lists.ts';
import { createSchemaService, type SchemaService } from './services/schema-service.ts';
import { SecretService } from './services/secret-service.ts';
import { createExitService } from './services/secrets/exit-secrets.ts';
import { SignInService } from './services/sign-in-service.ts';
import {
  createSourceFormatService,
  type SourceFormatService,
} from './services/source-format-service.ts';
import { createSplitService, type SplitService } from './services/split-service.ts';
import { createStepService, type StepService } from './services/step-service.ts';
import { createTakeAwayService, type TakeAwayService } from './services/take-away-service.ts';
import {
  createTargetConfigService,
  type TargetConfigService,
} from './services/target-config-service.ts';
import { createTargetService, type TargetService } from './services/target-service.ts';
import { createToolService, type ToolService } from './services/tool-service.ts';
import { ValueReader } from './services/value-reader.ts';
import { createWireService, type WireService } from './services/wire-service.ts';
import { readVersion } from './version.ts';

/** Everything that routes and commands do their work with. */
export interface Services {
  readonly store: Store;
  readonly values: ValueReader;
  readonly runs: RunService;
  readonly steps: StepService;
  readonly prices: PriceService;
  readonly marks: MarkService;
  readonly wires: WireService;
  readonly imports: ImportService;
  readonly receiver: ReceiverService;
  readonly finder: FindService;
  readonly follows: FollowService;
  readonly sourceFormats: SourceFormatService;
  readonly targets: TargetService;
  readonly targetConfigs: TargetConfigService;
  readonly signIns: SignInService;
  readonly replays: ReplayService;
  readonly experiments: ExperimentService;
  readonly loop: LoopService;
  readonly comparisons: ComparisonService;
  readonly receipts: ReceiptService;
  readonly takeAway: TakeAwayService;
  readonly schemas: SchemaService;
  readonly tools: ToolService;
  readonly splits: SplitService;
  readonly demo: DemoService;
  readonly version: string;
  readonly author: string;
  /** Cancels what runs, then lets go of the data folder; once, however often it is called. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly dataFolder: string;
  readonly author?: string;
  readonly onLog?: (line: string) => void;
  /** In place of this machine's, for tests. */
  readonly surroundings?: Surroundings;
  readonly watchTimes?: WatchTimes;
  /** In place of the real one, for tests of what is around it. */
  readonly replayCall?: ReplayCall;
}

/** Opens the data folder and puts the services together. Throws what `openStore` throws. */
export async function openServices(options: ComposeOptions): Promise<Services> {
  const { dataFolder, onLog } = options;
  const store = await openStore({ dataFolder, ...(onLog === undefined ? {} : { onLog }) });
  const version = readVersion();
  const author = options.author ?? ownName();
  const values = new ValueReader(store);
  const prices = createPriceService(store);
  const derivations = new RunDerivations(store, values, prices);
  const imports = createImportService(store);
  const finder = createFindService(options.surroundings);
  const follows = createFollowService(store, imports, finder, options.watchTimes);
  const receiver = createReceiverService(store, imports, DEFAULT_PORT);
  const secretFile = new SecretFile(store.dataFolder, onLog);
  const signIns = new SignInService(store, secretFile);
  const secrets = new SecretService(secretFile, signIns);
  const exits = createExitService(store, secrets);
  const targets = createTargetService(store, secrets, signIns);
  const demo = createDemoService(store, imports, targets);
  const heavy = new HeavyWork();
  const replayCall =
    options.replayCall ??
    createReplayCall({
      async compare(input) {
        const { recorded, answer } = input;
        const texts = [recorded.transcriptText, recorded.wireText];
        const recordedLength = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
        const size = answer.bytes.length + recordedLength;
        const comparison = await heavy.run('compareAnswer', input, { size });
        if (comparison === null) throw new Error('an answer that is there has a comparison');
        return comparison;
      },
      describe: (input) => heavy.run('describeResult', input, { size: input.resultBytes.length }),
    });
  const replays = createReplayService({
    store,
    values,
    secrets,
    exits,
    replayCall,
    heavy,
    version,
  });
  const knownTools = new KnownToolLists(store);
  const calling = { store, values, secrets, exits, replays, knownTools, heavy, version };
  const experiments = createExperimentService(calling);
  const tools = createToolService(calling);
  let closed: Promise<void> | null = null;
  return {
    store,
    values,
    runs: createRunService(store, derivations, prices, demo.isDemoRun),
    steps: createStepService(store, values, derivations, prices),
    prices,
    marks: createMarkService(store, values, heavy, author),
    wires: createWireService(store, values),
    imports,
    receiver,
    finder,
    follows,
    sourceFormats: createSourceFormatService(store, imports),
    targets,
    targetConfigs: createTargetConfigService(targets),
    signIns,
    replays,
    experiments,
    loop: createLoopService(store),
    comparisons: createComparisonService(store, values, exits, heavy),
    receipts: createReceiptService(store, values, exits, heavy),
    takeAway: createTakeAwayService(store, values, exits),
    schemas: createSchemaService(store, values, exits),
    tools,
    splits: createSplitService({ store, values, replays }),
    demo,
    version,
    author,
    close() {
      signIns.close();
      // What was received and not read yet is an import, so this comes before the end of those.
      closed ??= Promise.all([receiver.close(), follows.close()])
        // Replays before experiments: a call on its way then ends as interrupted.
        .then(() =>
          Promise.all([imports.close(), replays.close(), experiments.close(), tools.close()]),
        )
        // Only now: what ends with a comparison still has to be compared.
        .then(() => heavy.close())
        .then(() => store.close());
      return closed;
    },
  };
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number without a name.
    return 'unknown';
  }
}
