import { decodeUtf8 } from '@misstep/json';
import type { Ulid } from '@misstep/model';
import {
  type ArgumentCheck,
  checkArguments,
  checkToolList,
  compareDefinitions,
  type DefinitionDrift,
  maskStrings,
  type ResultCheck,
  readLoggedCall,
  type ToolListCheck,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readFrameLogFile } from './replay/frame-log-file.ts';
import { checkLoggedResult } from './replay/logged-result-check.ts';
import { readRecordedDefinition } from './replay/recorded-call.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

/** What the schemas of a replay's server say; null where its frames hold nothing to judge by. */
export interface SchemaReport {
  readonly arguments: ArgumentCheck | null;
  readonly result: ResultCheck | null;
  readonly toolList: ToolListCheck | null;
  /** Null where the recording or the server lacks the definition. */
  readonly drift: DefinitionDrift | null;
}

export interface SchemaService {
  /** By the tool list that the replay itself saw; REPLAY_NOT_FOUND. Nothing is sent. */
  report(replayId: Ulid): Promise<SchemaReport>;
}

export function createSchemaService(
  store: Store,
  values: ValueReader,
  exits: Pick<ExitService, 'ofReplay'>,
): SchemaService {
  return {
    async report(replayId) {
      const replay = await store.getReplay(replayId);
      const { tool, argumentsText, runId, stepId, frameLogPath } = replay;
      const logged = readLoggedCall(await readFrameLogFile(frameLogPath));
      const { listedTools } = logged;
      const listed = listedTools.find(({ name }) => name === tool);
      const step = await store.getStep(runId, stepId);
      const recorded = await readRecordedDefinition(store, values, runId, step.server, tool);
      const report = {
        arguments:
          listed === undefined ? null : checkArguments(listed.definitionText, argumentsText),
        result: checkLoggedResult(logged, tool),
        toolList: listedTools.length === 0 ? null : checkToolList(listedTools),
        drift:
          listed === undefined || recorded === null
            ? null
            : compareDefinitions(decodeUtf8(recorded).text, listed.definitionText),
      };
      return maskStrings(report, (await exits.ofReplay(replay)).inTexts);
    },
  };
}
