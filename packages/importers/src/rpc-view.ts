import type { FrameDirection, Step } from '@misstep/model';
import type { JsonRpcSessions } from './json-rpc-session.ts';
import type { JsonView } from './json-view.ts';
import type { SpanTime } from './trace-span.ts';

/** What a recording of HTTP traffic knows of one message. */
export interface RpcFacts {
  readonly direction: FrameDirection;
  readonly connection: string;
  readonly server: string | null;
  readonly at: SpanTime | null;
  /** Times count from an unknown zero. */
  readonly isMonotonic?: boolean;
  /** Where the record that the message belongs to begins. */
  readonly recordOffset: number;
  readonly remark: string | null;
  /** The step of the same request, where it was sent before. */
  readonly repeats?: Step | null;
}

/** Hands a message to the sessions as a frame of Streamable HTTP; false where it is no JSON-RPC. */
export function addRpc(sessions: JsonRpcSessions, message: JsonView, facts: RpcFacts): boolean {
  const { origin } = message;
  return sessions.addFrame({
    direction: facts.direction,
    transport: 'streamable-http',
    connection: facts.connection,
    server: facts.server,
    monotonicNs: facts.isMonotonic === true ? (facts.at?.ns ?? null) : null,
    wallNs: facts.isMonotonic === true ? null : (facts.at?.ns ?? null),
    timeText: facts.at?.text ?? null,
    document: message.document,
    node: message.node,
    origin,
    sizeBytes: message.isInner
      ? new TextEncoder().encode(message.written).length
      : message.origin.length,
    recordOffset: facts.recordOffset,
    transportRemark: facts.remark,
    repeats: facts.repeats ?? null,
    capture: (node, pointer) => message.located(node, pointer).value('wire'),
  });
}

/** True for a JSON-RPC 2.0 message or a batch with one in it. */
export function isRpc(view: JsonView): boolean {
  const messages = view.isArray ? view.items : [view];
  return messages.some((message) => message.get('jsonrpc')?.text === '2.0');
}
