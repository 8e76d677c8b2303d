import type { Target, TargetName } from '@misstep/model';
import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import type { Tables } from '../tables.ts';

export function listTargets(database: Database): Target[] {
  return database
    .all(database.builder.selectFrom('targets').selectAll().orderBy('name'))
    .map(readTarget);
}

/** TARGET_NOT_FOUND. */
export function getTarget(database: Database, name: TargetName): Target {
  const row = database.first(
    database.builder.selectFrom('targets').selectAll().where('name', '=', name),
  );
  if (row === undefined) throw new Failure('TARGET_NOT_FOUND', `There is no target "${name}".`);
  return readTarget(row);
}

/** TARGET_EXISTS; a new target is never confirmed. */
export function addTarget(
  database: Database,
  target: Pick<Target, 'name' | 'address' | 'settings'>,
  now: string,
): Target {
  return database.write(() => {
    const { changes } = database.run(
      database.builder
        .insertInto('targets')
        .values({
          name: target.name,
          addressJson: JSON.stringify(target.address),
          settingsJson: JSON.stringify(target.settings),
          confirmedAddressJson: null,
          confirmedAt: null,
          trustsReadOnlyHint: 0,
          createdAt: now,
        })
        .onConflict((conflict) => conflict.doNothing()),
    );
    if (changes === 0) {
      throw new Failure('TARGET_EXISTS', `A target named "${target.name}" exists already.`);
    }
    return getTarget(database, target.name);
  });
}

/** Binds the confirmation to the address as it stands now. TARGET_NOT_FOUND. */
export function confirmTarget(
  database: Database,
  name: TargetName,
  trustsReadOnlyHint: boolean,
  now: string,
): Target {
  return database.write(() => {
    database.run(
      database.builder
        .updateTable('targets')
        .set((column) => ({
          confirmedAt: now,
          confirmedAddressJson: column.ref('addressJson'),
          trustsReadOnlyHint: trustsReadOnlyHint ? 1 : 0,
        }))
        .where('name', '=', name),
    );
    return getTarget(database, name);
  });
}

/**
 * Changes what is given and no more. `keepsConfirmation` false takes the confirmation back in the
 * same transaction. TARGET_NOT_FOUND.
 */
export function updateTarget(
  database: Database,
  name: TargetName,
  change: Partial<Pick<Target, 'address' | 'settings'>>,
  keepsConfirmation: boolean,
): Target {
  return database.write(() => {
    const { address, settings } = change;
    database.run(
      database.builder
        .updateTable('targets')
        .set({
          ...(address === undefined ? {} : { addressJson: JSON.stringify(address) }),
          ...(settings === undefined ? {} : { settingsJson: JSON.stringify(settings) }),
          ...(keepsConfirmation ? {} : UNCONFIRMED),
          name,
        })
        .where('name', '=', name),
    );
    return getTarget(database, name);
  });
}

const UNCONFIRMED = { confirmedAt: null, confirmedAddressJson: null, trustsReadOnlyHint: 0 };

/** TARGET_NOT_FOUND. */
export function removeTarget(database: Database, name: TargetName): void {
  database.write(() => {
    const { changes } = database.run(
      database.builder.deleteFrom('targets').where('name', '=', name),
    );
    if (changes === 0) throw new Failure('TARGET_NOT_FOUND', `There is no target "${name}".`);
  });
}

function readTarget(row: Selectable<Tables['targets']>): Target {
  const isConfirmed = row.confirmedAddressJson === row.addressJson;
  return {
    // Both were checked by the model's schemas before they came here.
    name: row.name as TargetName,
    address: JSON.parse(row.addressJson) as Target['address'],
    settings: JSON.parse(row.settingsJson) as Target['settings'],
    confirmedAt: isConfirmed ? row.confirmedAt : null,
    trustsReadOnlyHint: isConfirmed && row.trustsReadOnlyHint === 1n,
    createdAt: row.createdAt,
  };
}
