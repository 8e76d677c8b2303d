export { commands } from './commands/index.ts';
export { helpOf, helpOfAll } from './help.ts';
export { runCommandLine } from './run-command-line.ts';
