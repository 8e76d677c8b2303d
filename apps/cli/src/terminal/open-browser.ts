import { spawn } from 'node:child_process';

/** The program that opens an address here; null where there is no browser to open. */
export function browserCommand(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): readonly string[] | null {
  if (environment.CI !== undefined && environment.CI !== '') return null;
  if (platform === 'darwin') return ['open'];
  // `start` takes its first quoted word as a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  const display = environment.DISPLAY || environment.WAYLAND_DISPLAY;
  return display ? ['xdg-open'] : null;
}

/** Opens our own address, without a shell. That it can't be opened is no error: it is printed. */
export function openBrowser(
  address: string,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): boolean {
  const [command, ...args] = browserCommand(platform, environment) ?? [];
  if (command === undefined) return false;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
}
