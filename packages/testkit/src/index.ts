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
