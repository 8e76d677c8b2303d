import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

type RunRoute =
  | 'listRuns'
  | 'getRun'
  | 'updateRun'
  | 'deleteRun'
  | 'getSkeleton'
  | 'getAudit'
  | 'getStep'
  | 'listFrames'
  | 'listUnused'
  | 'listMarks'
  | 'putMark'
  | 'deleteMark'
  | 'getWire'
  | 'putWire'
  | 'deleteWire';

export function runHandlers({ runs, steps, marks, wires }: Services): Pick<Handlers, RunRoute> {
  return {
    listRuns: ({ query }) => runs.list(query),
    getRun: ({ params }) => runs.get(params.runId),
    updateRun: ({ params, body }) => runs.update(params.runId, body),
    deleteRun: ({ params }) => runs.remove(params.runId),
    getSkeleton: ({ params }) => steps.skeleton(params.runId),
    getAudit: ({ params }) => steps.audit(params.runId),
    getStep: ({ params, query }) => steps.detail(params.runId, params.stepId, query.maxBytes),
    listFrames: ({ params, query: { stepId, ...page } }) =>
      steps.frames(params.runId, stepId === undefined ? page : { ...page, stepId }),
    listUnused: ({ params, query: { state, reason, ...page } }) =>
      steps.unused(params.runId, {
        ...page,
        ...(state === undefined ? {} : { state }),
        ...(reason === undefined ? {} : { reason }),
      }),
    listMarks: async ({ params }) => ({ marks: await marks.list(params.runId) }),
    putMark: ({ params, body }) => marks.put(params.runId, body),
    deleteMark: ({ params }) => marks.remove(params.runId),
    getWire: ({ params, query }) => wires.tell(params.runId, query.wireRunId),
    putWire: ({ params, body }) => wires.join(params.runId, body.wireRunId),
    deleteWire: ({ params }) => wires.remove(params.runId),
  };
}
