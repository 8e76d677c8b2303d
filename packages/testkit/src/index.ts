export { CASES, type Case } from './cases.ts';
export {
  hostileModernCommand,
  hostileStdioCommand,
  modernSdkCommand,
  type RunningHttpServer,
  startHostileHttp,
  startHostileModernHttp,
  startHostileSse,
  startModernSdkHttp,
} from './hostile-server.ts';
export { lineServer } from './line-server.ts';
export { type OAuthMcpOptions, type OAuthMcpServer, startOAuthMcp } from './oauth-mcp-server.ts';
