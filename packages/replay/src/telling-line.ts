const LONGEST = 300;

/** `ModuleNotFoundError: …`, `Error [ERR_X]: …`, `error: …`, `Exception in thread "main" …`. */
const ERROR =
  /^(?:\S+: )?(?:uncaught )?(?:[\w.$]*(?:error|exception)\b(?: \[\w+\])?:|fatal:|exception in thread)/i;
/** What a shell, a loader or a package runner says of a command that is not there. */
const ABSENT =
  /command not found|: not found$|cannot find (?:module|package)|no such file or directory|could not (?:be found|determine executable)|can't open file|no module named|is not recognized as/i;
const NPM = /^npm (?:error|ERR!) (?!code\b|errno\b|syscall\b|path\b|A complete log\b|\s*$)/;
/** Says where or with what, never why: stack frames, carets, versions, where a log was put. */
const BESIDE =
  /^(?:at \S.*|\^+|Node\.js v\d[\d.]*|npm (?:error|ERR!).*|node:internal\/.*|File ".*|[{}\])]+;?|throw err;?|requireStack: .*|- \/.*)$/;

/**
 * The line of a server's stderr that best says why it ended: the last line of Python's last
 * traceback, else the first that reads as an error, else the last that is more than a stack frame.
 * `isLast` = nothing was written after it. Null = there is none.
 */
export function tellingLine(stderr: string): { line: string; isLast: boolean } | null {
  const all = stderr.split('\n').map((line) => line.trimEnd());
  const lines = all.map((line) => line.trim()).filter((line) => line !== '');
  const last = lines.at(-1);
  if (last === undefined) return null;
  const found =
    endOfTraceback(all) ??
    lines.find((line) => NPM.test(line)) ??
    lines.find((line) => !BESIDE.test(line) && (ERROR.test(line) || ABSENT.test(line))) ??
    lines.findLast((line) => !BESIDE.test(line)) ??
    last;
  return {
    line: found.length <= LONGEST ? found : `…${found.slice(-LONGEST)}`,
    isLast: found === last,
  };
}

/** Ready to stand behind a sentence, with a space before it; '' = the server wrote nothing. */
export function saidOnStderr(stderr: string): string {
  const told = tellingLine(stderr);
  if (told === null) return '';
  return told.isLast
    ? ` Its last line on stderr: ${told.line}`
    : ` The telling line of its stderr: ${told.line}`;
}

/** The first line behind the last traceback that is not indented: `ValueError: …`. */
function endOfTraceback(lines: readonly string[]): string | null {
  const start = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last)'));
  if (start < 0) return null;
  return lines.slice(start + 1).find((line) => /^\S/.test(line)) ?? null;
}
