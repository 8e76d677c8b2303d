import { type RunId, type Ulid, UlidSchema } from '@misstep/model';
import type { Database } from '../database.ts';
import type { FollowedFile, FollowedFolder } from '../store.ts';
import { decodeText, decodeTextOrNull, encodeText, encodeTextOrNull } from '../stored-text.ts';

export function listFollowedFolders(database: Database): FollowedFolder[] {
  return database
    .all(database.builder.selectFrom('followedFolders').selectAll().orderBy('key'))
    .map(({ id, path, placeId, followedAt }) => ({
      id: UlidSchema.parse(id),
      path: decodeText(path),
      placeId: decodeTextOrNull(placeId),
      followedAt,
    }));
}

/** The folder as it is followed, which it may have been before under another id. */
export function followFolder(database: Database, folder: FollowedFolder): FollowedFolder {
  const path = encodeText(folder.path);
  return database.write(() => {
    database.run(
      database.builder
        .insertInto('followedFolders')
        .values({ ...folder, path, placeId: encodeTextOrNull(folder.placeId) })
        .onConflict((conflict) => conflict.doNothing()),
    );
    return listFollowedFolders(database).find((each) => each.path === folder.path) ?? folder;
  });
}

/** False where it was not followed. What was imported from it stays. */
export function unfollowFolder(database: Database, id: Ulid): boolean {
  return database.write(
    () =>
      database.run(database.builder.deleteFrom('followedFolders').where('id', '=', id)).changes > 0,
  );
}

export function listFollowedFiles(database: Database, id: Ulid): FollowedFile[] {
  return database
    .all(
      database.builder
        .selectFrom('followedFiles')
        .innerJoin('followedFolders', 'followedFolders.key', 'followedFiles.folderKey')
        .selectAll('followedFiles')
        .where('followedFolders.id', '=', id),
    )
    .map((row) => ({
      path: decodeText(row.path),
      sizeBytes: Number(row.sizeBytes),
      modifiedMs: Number(row.modifiedMs),
      inode: row.inode,
      // Written below from ids of runs.
      runIds: JSON.parse(row.runIdsJson) as RunId[],
    }));
}

/** Nothing where the folder is followed no more. */
export function putFollowedFiles(
  database: Database,
  id: Ulid,
  files: readonly FollowedFile[],
): void {
  database.write(() => {
    const folder = database.first(
      database.builder.selectFrom('followedFolders').select('key').where('id', '=', id),
    );
    if (folder === undefined) return;
    for (const file of files) {
      const { sizeBytes, modifiedMs, inode } = file;
      const read = { sizeBytes, modifiedMs, inode, runIdsJson: JSON.stringify(file.runIds) };
      database.run(
        database.builder
          .insertInto('followedFiles')
          .values({ folderKey: folder.key, path: encodeText(file.path), ...read })
          .onConflict((conflict) => conflict.columns(['folderKey', 'path']).doUpdateSet(read)),
      );
    }
  });
}
