import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

export function targetHandlers({
  targets,
}: Services): Pick<Handlers, 'listTargets' | 'addTarget' | 'confirmTarget' | 'removeTarget'> {
  return {
    listTargets: async () => ({ targets: await targets.list() }),
    addTarget: ({ body }) => targets.add(body.name, body.address),
    confirmTarget: ({ params, body }) =>
      targets.confirm(params.name, body.description, body.trustsReadOnlyHint),
    removeTarget: ({ params }) => targets.remove(params.name),
  };
}
