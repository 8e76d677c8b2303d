export { idLoosely, type RawAnswer } from './answer-book.ts';
export { readRpcError, wordRpcError } from './answer-words.ts';
export { callFrameText, onOneLine } from './call-frame.ts';
export { childEnvironment } from './child-environment.ts';
export { ImpossibleSettingsError, McpConnection, type Opening } from './connection.ts';
export type {
  ConnectionOptions,
  ConnectionSecrets,
  Handshake,
  ProtocolEra,
  SentCall,
  ToolPageAnswer,
} from './connection-options.ts';
export { describeCutFrame, describeFrame, type ReadFrame, readFrame } from './describe-frame.ts';
export { EraMemory } from './era-memory.ts';
export {
  describeEnd,
  type RawTransport,
  type TransportEnd,
  TransportEndedError,
  UnreadFrameError,
} from './frame-transport.ts';
export { HttpFrameTransport, type HttpFrameTransportOptions } from './http-transport.ts';
export { readHandshake } from './legacy-connection.ts';
export {
  findCutSecrets,
  findSecretsInBytes,
  findSecretsInText,
  findSecretsInTurns,
  type KnownSecret,
  knownSecrets,
  maskPlaces,
  maskSecretBytes,
  maskSecrets,
  mergePlaces,
  type SecretPlace,
  type SecretSource,
  SHORTEST_SECRET,
} from './mask-secrets.ts';
export { readInputRequired, readModernHandshake, resultTypeOf } from './modern-answers.ts';
export { MODERN_REVISION, PROTOCOL_VERSION_KEY } from './modern-frames.ts';
export { headerFault } from './modern-headers.ts';
export type {
  AnswerServer,
  ServerRequest,
  ServerRequestAnswer,
} from './server-requests.ts';
export { shortened } from './shortened.ts';
export { type Revocation, revokeSignIn } from './sign-in/revoke.ts';
export { renewSignIn, SignIn, type SignInOptions } from './sign-in/sign-in.ts';
export { SignInError } from './sign-in/sign-in-error.ts';
export { isLoopback } from './sign-in/sign-in-fetch.ts';
export { type SignInRecord, SignInRecordSchema } from './sign-in/sign-in-record.ts';
export { SseFrameTransport, type SseFrameTransportOptions } from './sse-transport.ts';
export { StdioFrameTransport, type StdioFrameTransportOptions } from './stdio-transport.ts';
export {
  CONNECTION_EVENT_KINDS,
  type ConnectionClock,
  type ConnectionEvent,
  type FrameRefusal,
  type FrameTap,
  isCutByUs,
  type NextFrame,
  readNextFrame,
  startClock,
  type TapRecord,
  TapWriter,
} from './tap.ts';
export { type ListedTool, readToolPage, type ToolPage } from './tool-list.ts';
