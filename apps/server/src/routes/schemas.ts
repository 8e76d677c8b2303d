import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

export function schemaHandlers({
  tools,
}: Services): Pick<Handlers, 'getStepTool' | 'askTools' | 'checkArguments'> {
  return {
    getStepTool: ({ params, query }) => tools.describe({ ...params, ...query }),
    askTools: ({ params, body }) => tools.ask(params.name, body.timeoutMs),
    checkArguments: async ({ params, body }) => ({
      check: await tools.check({ ...params, ...body }),
    }),
  };
}
