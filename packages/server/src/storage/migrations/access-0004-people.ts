import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** Users, their sessions and roles, and their recorded actions. */
export const people: Migration = {
  name: 'people',
  up: addPeople,
  distributed: ['events'],
  reference: ['users', 'sessions', 'devices', 'links', 'members', 'invitations'],
  withoutWorkspace: ['users', 'sessions', 'devices', 'links'],
};

async function addPeople(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  const { schema } = db;
  await columns(schema.createTable('users'), text, {
    present: 'id email email_folded name created_at theme',
    optional: 'password disabled_at',
  })
    .addColumn('is_operator', 'boolean', (column) => column.notNull())
    .addColumn('has_single_keys', 'boolean', (column) => column.notNull())
    .addPrimaryKeyConstraint('users_key', ['id'])
    .addUniqueConstraint('users_email', ['email_folded'])
    .execute();
  await columns(schema.createTable('sessions'), text, {
    present: 'id hash user_id created_at seen_at browser',
  })
    .addColumn('must_renew', 'boolean', (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['id'])
    .addUniqueConstraint('sessions_hash', ['hash'])
    .execute();
  await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
  await columns(schema.createTable('devices'), text, { present: 'hash user_id created_at' })
    .addPrimaryKeyConstraint('devices_key', ['hash'])
    .execute();
  await columns(schema.createTable('links'), text, {
    present: 'hash created_at expires_at',
    optional: 'user_id used_at',
  })
    .addPrimaryKeyConstraint('links_key', ['hash'])
    .execute();
  await columns(schema.createTable('members'), text, {
    present: 'workspace_id user_id role created_at',
  })
    .addPrimaryKeyConstraint('members_key', ['workspace_id', 'user_id'])
    .execute();
  await columns(schema.createTable('invitations'), text, {
    present: 'id hash workspace_id role created_by created_at expires_at',
    optional: 'email used_at used_by',
  })
    .addPrimaryKeyConstraint('invitations_key', ['id'])
    .addUniqueConstraint('invitations_hash', ['hash'])
    .execute();
  await columns(schema.createTable('events'), text, {
    present: 'workspace_id id at kind facts',
    optional: 'user_id',
  })
    .addPrimaryKeyConstraint('events_key', ['workspace_id', 'id'])
    .execute();
  for (const name of ['created_by', 'revoked_by', 'replaced_by']) {
    await schema.alterTable('keys').addColumn(name, text).execute();
  }
}

function columns(
  table: CreateTableBuilder<string, string>,
  text: RawBuilder<unknown>,
  { present, optional = '' }: { present: string; optional?: string },
): CreateTableBuilder<string, string> {
  const required = present
    .split(' ')
    .reduce((builder, name) => builder.addColumn(name, text, (column) => column.notNull()), table);
  return optional
    .split(' ')
    .filter((name) => name !== '')
    .reduce((builder, name) => builder.addColumn(name, text), required);
}
