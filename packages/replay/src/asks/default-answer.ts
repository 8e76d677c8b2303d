import { encodeString } from '@misstep/json';
import type { ServerRequestAnswer } from '@misstep/mcp';

/**
 * What goes out where nobody answers a server's request: a refusal in the form
 * of the section on that request in MCP's client features, in nobody's name.
 */
export function defaultAnswerTo(method: string): ServerRequestAnswer {
  switch (method) {
    case 'elicitation/create':
      return { kind: 'result', text: '{"action":"decline"}' };
    case 'sampling/createMessage':
      return { kind: 'error', text: '{"code":-1,"message":"no person answered"}' };
    case 'roots/list':
      return { kind: 'result', text: '{"roots":[]}' };
    default:
      return {
        kind: 'error',
        text: `{"code":-32601,"message":${encodeString(`Method not found: ${method.slice(0, 200)}`)}}`,
      };
  }
}
