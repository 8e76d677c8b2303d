export { hostileStdioCommand, type RunningHttpServer, startHostileHttp } from './hostile-server.ts';
