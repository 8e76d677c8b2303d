const UNIX_NAMES = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'USER', 'LOGNAME', 'SHELL'];
const WINDOWS_NAMES = [
  'PATH',
  'PATHEXT',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMDATA',
  'PROCESSOR_ARCHITECTURE',
];

/**
 * What a child process inherits: an allow-list, so that a secret in our own environment never
 * reaches a server. Values that look like exported shell functions are left out.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const allowed = new Set(isWindows ? WINDOWS_NAMES : UNIX_NAMES);
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || value.startsWith('()')) continue;
    const isAllowed = isWindows
      ? allowed.has(name.toUpperCase())
      : allowed.has(name) || name.startsWith('LC_');
    if (isAllowed) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}
