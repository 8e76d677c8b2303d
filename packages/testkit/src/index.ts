export { hostileStdioCommand, type RunningHttpServer, startHostileHttp } from './hostile-server.ts';
export { type OAuthMcpOptions, type OAuthMcpServer, startOAuthMcp } from './oauth-mcp-server.ts';
