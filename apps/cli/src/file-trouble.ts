import { visible } from './terminal/visible.ts';

const WORDS: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already, and nothing is overwritten; choose another name',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is used up',
  EFBIG: 'files may not be that large',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
};

/** In words what the operating system has against a file; its own code where there are no words. */
export function fileTrouble(error: unknown): string {
  const code = codeOf(error);
  return WORDS[code] ?? code;
}

/** `--out: FILE cannot be written (why).` */
export function unwritable(path: string, error: unknown, option: string): string {
  const why = codeOf(error) === 'ENOENT' ? 'its folder does not exist' : fileTrouble(error);
  return `${option}: ${visible(path)} cannot be written (${why}).`;
}

/** The system's code of a failure, `unknown` where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
