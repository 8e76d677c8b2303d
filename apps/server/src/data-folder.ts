import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where everything is kept: --data, else MISSTEP_DATA, else a folder of this user. */
export function chooseDataFolder(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string {
  const chosen = given ?? environment.MISSTEP_DATA;
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  if (platform === 'win32') {
    return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'misstep');
  }
  return join(homedir(), '.misstep');
}
