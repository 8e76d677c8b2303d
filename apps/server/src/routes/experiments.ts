import { Readable } from 'node:stream';
import type { Services } from '../compose.ts';
import { Download, type Handlers } from './handler.ts';

type ExperimentRoute =
  | 'planExperiment'
  | 'startExperiment'
  | 'listExperiments'
  | 'getExperiment'
  | 'stopExperiment'
  | 'exportExperiment'
  | 'getLoop';

export function experimentHandlers({
  experiments,
  loop,
}: Services): Pick<Handlers, ExperimentRoute> {
  return {
    planExperiment: ({ params, body }) => experiments.plan(params.runId, body.request, body.seed),
    startExperiment: ({ params, body }) => experiments.start({ ...params, ...body }),
    listExperiments: ({ query }) => experiments.list(query),
    getExperiment: ({ params }) => experiments.get(params.experimentId),
    stopExperiment: ({ params }) => experiments.stop(params.experimentId),
    exportExperiment: async ({ params, query }) => {
      const { name, bytes } = await experiments.export(params.experimentId, query.as);
      return new Download(name, bytes.length, () => Readable.from([Buffer.from(bytes)]));
    },
    getLoop: () => loop.read(),
  };
}
