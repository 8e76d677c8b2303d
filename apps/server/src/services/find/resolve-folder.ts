import { posix, win32 } from 'node:path';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A folder of the table on this machine; `$NAME(~/x)/rest` is `~/x/rest` where NAME is not set. */
export function resolveFolder(
  template: string,
  { platform, home, environment }: Surroundings,
): string {
  const path = platform === 'win32' ? win32 : posix;
  const named = /^\$([A-Z_]+)\(([^)]*)\)(.*)$/.exec(template);
  const value = environment[named?.[1] ?? ''];
  // A relative path there would mean another folder with every working folder.
  const isSet = value !== undefined && path.isAbsolute(value);
  const start = named === null ? template : `${isSet ? value : named[2]}${named[3]}`;
  return path.normalize(start.startsWith('~/') ? path.join(home, start.slice(2)) : start);
}

/** Whether a path below a folder is one of its recordings: a pattern behind `!` says what is none. */
export function isRecordingOf(patterns: readonly string[]): (pathBelow: string) => boolean {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(patternOf);
  const others = patterns.flatMap((pattern) =>
    pattern.startsWith('!') ? [patternOf(pattern.slice(1))] : [],
  );
  return (pathBelow) =>
    wanted.some((pattern) => pattern.test(pathBelow)) &&
    !others.some((pattern) => pattern.test(pathBelow));
}

/** Whether a path below a folder, with `/`, is one of the recordings that a pattern means. */
export function patternOf(pattern: string): RegExp {
  const parts = pattern.split('/').map((part) => {
    if (part === '**') return '(?:[^/]+/)*';
    const words = part.split('*').map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return `${words.join('[^/]*')}/`;
  });
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}$`);
}
