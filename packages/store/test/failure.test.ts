import { isMisstepError } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { describeFailure, Failure } from '../src/failure.ts';
import { rebuild } from '../src/worker-client.ts';

const withCode = (code: string) => Object.assign(new Error(`it failed with ${code}`), { code });

describe('what went wrong', () => {
  it.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    ['SQLITE_FULL', 'DISK_FULL'],
    ['EROFS', 'DATA_FOLDER_READ_ONLY'],
    ['EACCES', 'DATA_FOLDER_READ_ONLY'],
    ['EPERM', 'DATA_FOLDER_READ_ONLY'],
    ['SQLITE_READONLY', 'DATA_FOLDER_READ_ONLY'],
    ['SQLITE_READONLY_DIRECTORY', 'DATA_FOLDER_READ_ONLY'],
    ['SQLITE_CORRUPT', 'DATA_FOLDER_DAMAGED'],
    ['SQLITE_CORRUPT_INDEX', 'DATA_FOLDER_DAMAGED'],
    ['SQLITE_NOTADB', 'DATA_FOLDER_DAMAGED'],
    ['SQLITE_BUSY', 'INTERNAL'],
    ['SQLITE_IOERR_READ', 'INTERNAL'],
    ['EMFILE', 'INTERNAL'],
  ])('%s is %s', (cause, code) => {
    expect(describeFailure(withCode(cause), '/')).toMatchObject({ code, details: { cause } });
  });

  it('keeps its code, message and details on the way to the caller', () => {
    const failure = new Failure('STEP_NOT_FOUND', 'There is no step s9.', { stepId: 's9' });
    const error = rebuild(structuredClone(describeFailure(failure, '/')));
    expect(isMisstepError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'STEP_NOT_FOUND',
      message: 'There is no step s9.',
      details: { stepId: 's9' },
    });
  });
});
