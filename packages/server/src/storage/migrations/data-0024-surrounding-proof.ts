import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Dialect, Migration } from './migration.ts';

/**
 * An accusation now needs proof of its site on both sides, and no visitor behind its address. Adds the
 * votes, the bits of visitors and the networks of hits. Older hits have no network, which says that their
 * visitors are unknown: their verdicts stay as this leaves them, until their log is read again.
 */
export const surroundingProof: Migration = {
  name: 'surrounding proof',
  up: change,
};

async function change(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const text = sql.raw(columnTypes.text[dialect]);
  const bytes = sql.raw(columnTypes.bytes[dialect]);
  await schema
    .createTable('hit_votes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('verdict', text, (column) => column.notNull())
    .addColumn('site', text, (column) => column.notNull())
    .addColumn('operator', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('hit_votes_key', [
      'workspace_id',
      'day',
      'verdict',
      'site',
      'operator',
      'network',
    ])
    .execute();
  await schema
    .createTable('visitor_bits')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('bits', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('visitor_bits_key', ['workspace_id', 'slot'])
    .execute();
  await schema
    .alterTable('unsettled_days')
    .addColumn('state', text, (column) => column.notNull().defaultTo('written'))
    .execute();
  await schema.dropIndex('hits_by_address_group').execute();
  await schema.alterTable('hits').dropColumn('address_group').execute();
  await schema.alterTable('hits').addColumn('network', text).execute();
  await withdrawAccusations(db);
}

const dayMs = 86_400_000;
const proofDays = 30;

/**
 * Accusations become unverified, except between days on which their host has hits of two operators that
 * are verified by address: 30 days before at most, and 30 days after.
 */
async function withdrawAccusations(db: Kysely<unknown>): Promise<void> {
  await sql`update hits set overruled_by = null where overruled_by = 'many_operators'`.execute(db);
  await sql`update hits set overruled_by = 'site_unproven' where overruled_by = 'none_verified'`.execute(
    db,
  );
  await sql`update hits set verification = 'unverified', overruled_by = 'withdrawn'
    where verification = 'spoofed' and (evidence like '{"reason":"not_in_list"%'
      or evidence like '{"reason":"wrong_host_name"%')`.execute(db);
  const { rows } = await sql<ProofRow>`
    select workspace_id, coalesce(host, '') as host, bot_company as operator,
      substr(hit_at, 1, 10) as date
    from hits where verification = 'verified' and (evidence like '{"reason":"in_list"%'
      or evidence like '{"reason":"host_name"%') group by 1, 2, 3, 4`.execute(db);
  const byHost = Map.groupBy(rows, (row) => `${row.workspace_id} ${row.host}`);
  for (const proofs of byHost.values()) {
    const [{ workspace_id: workspaceId, host } = { workspace_id: '', host: '' }] = proofs;
    for (const date of surroundedDays(proofs)) {
      await sql`update hits set verification = 'spoofed', overruled_by = null
        where workspace_id = ${workspaceId} and hit_at >= ${date} and hit_at < ${`${date}U`}
          and overruled_by = 'withdrawn' and coalesce(host, '') = ${host}`.execute(db);
    }
  }
  await sql`update hits set overruled_by = 'site_unproven' where overruled_by = 'withdrawn'`.execute(
    db,
  );
}

interface ProofRow {
  readonly workspace_id: string;
  readonly host: string;
  readonly operator: string;
  readonly date: string;
}

function surroundedDays(proofs: readonly ProofRow[]): readonly string[] {
  const days = proofs.map(({ date, operator }) => ({ day: Date.parse(date) / dayMs, operator }));
  const [first, last] = [Math.min, Math.max].map((of) => of(...days.map(({ day }) => day)));
  const surrounded: string[] = [];
  for (let day = (first ?? 0) + 1; day < (last ?? 0); day++) {
    if (hasProof(day - proofDays, day - 1) && hasProof(day + 1, day + proofDays)) {
      surrounded.push(new Date(day * dayMs).toISOString().slice(0, 10));
    }
  }
  return surrounded;

  function hasProof(from: number, to: number): boolean {
    const within = days.filter(({ day }) => day >= from && day <= to);
    return new Set(within.map(({ operator }) => operator)).size >= 2;
  }
}
