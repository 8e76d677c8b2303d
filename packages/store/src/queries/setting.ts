import type { Database } from '../database.ts';
import { decodeText, encodeText } from '../stored-text.ts';

export function getSetting(database: Database, key: string): string | null {
  const row = database.first(
    database.builder.selectFrom('settings').select('value').where('key', '=', encodeText(key)),
  );
  return row === undefined ? null : decodeText(row.value);
}

export function setSetting(database: Database, key: string, value: string): void {
  const stored = encodeText(value);
  database.write(() =>
    database.run(
      database.builder
        .insertInto('settings')
        .values({ key: encodeText(key), value: stored })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: stored })),
    ),
  );
}
