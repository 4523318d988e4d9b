import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { assumeType } from '../../values/assume-type.ts';
import { newPerson } from '../../../test/browsers/people.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { findByEmail } from '../../people/users/find-users.ts';
import { keysOff } from './access-0010-keys-off.ts';
import { postgresTypes, sqliteTypes } from './migration.ts';

eachStore('the migration of single keys', (open, dialect) => {
  test('the migration of single keys leaves all keys off for a person who had switched them off, and on for others', async () => {
    const { store } = await open();
    const db = store.access;
    const [off, on] = [await newPerson(store, {}), await newPerson(store, {})];
    await sql`alter table users drop column keys_off`.execute(db);
    const old = sql`alter table users add column has_single_keys boolean not null default true`;
    await old.execute(db);
    await sql`update users set has_single_keys = false where id = ${off.id}`.execute(db);
    const untyped = assumeType<Kysely<unknown>>(db);
    await keysOff.up(untyped, dialect === 'sqlite' ? sqliteTypes : postgresTypes, dialect);
    const hasKeys = async ({ email }: { email: string }) =>
      (await findByEmail(db, email))?.user.hasKeys;
    expect([await hasKeys(off), await hasKeys(on)]).toEqual([false, true]);
  });
});
