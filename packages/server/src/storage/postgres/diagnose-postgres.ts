import type { Pool } from 'pg';
import { isRefusal } from '../../refusals.ts';
import { readAddress } from './address.ts';
import { ok, problem, refusalProblem, warning } from '../finding.ts';
import type { Finding } from '../finding.ts';
import { checkSchemaVersion } from '../migrations/check-schema-version.ts';
import { mapPostgresFailure } from './failures.ts';
import { serverVersionMin } from './migrate.ts';
import { reach } from './reach.ts';
import type { ReachedServer } from './reach.ts';

/** How far this machine's clock may differ from the database's. */
const clockWarningMs = 2000;
/** Connections that should be free for another server. */
const connectionsWanted = 20;

interface Facts {
  readonly version: string;
  readonly version_number: number;
  readonly encoding: string;
  readonly now_ms: number;
  readonly is_read_only: boolean;
  readonly may_create: boolean;
  readonly has_schema: boolean;
  readonly connections_free: number;
  readonly has_citus: boolean;
}

const pooled = ok(
  'pooler',
  'between Overheard and the server; it gives each transaction another session',
);

/** One statement, so that the clocks are compared at the middle of one round trip. */
const selectFacts = `
  select
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    current_setting('server_encoding') as encoding,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
    pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as is_read_only,
    has_schema_privilege(current_schema(), 'create') as may_create,
    to_regclass('schema_versions') is not null as has_schema,
    current_setting('max_connections')::int - (select count(*)::int from pg_stat_activity) as connections_free,
    exists (select 1 from pg_extension where extname = 'citus') as has_citus`;

/** Checks a PostgreSQL database. */
export async function diagnosePostgres(
  url: string,
  { clock }: { clock: () => number },
): Promise<Finding[]> {
  let reached: ReachedServer | undefined;
  try {
    reached = await reach(readAddress(url), { connectionsMax: 1 });
    const { pool, isSession } = reached;
    const beforeMs = clock();
    const { rows } = await pool.query<Facts>(selectFacts);
    const [facts] = rows;
    if (facts === undefined) throw new Error('The statement of facts returned no row');
    return [
      ok('connection', `reached, ${Math.max(0, clock() - beforeMs)} ms for one statement`),
      checkVersion(facts),
      checkEncoding(facts),
      checkRights(facts),
      ...(await checkSchema(pool, facts)),
      checkClock(facts.now_ms, (beforeMs + clock()) / 2),
      checkConnections(facts),
      ...(isSession ? [] : [pooled]),
      ...(await checkCitus(pool, facts)),
    ];
  } catch (error) {
    const mapped = mapPostgresFailure(error);
    if (!isRefusal(mapped)) throw error;
    return [refusalProblem('connection', mapped)];
  } finally {
    await reached?.close();
  }
}

function checkVersion({ version, version_number }: Facts): Finding {
  if (version_number >= serverVersionMin) return ok('version', `PostgreSQL ${version}`);
  return problem('version', `PostgreSQL ${version} is too old.`, 'Upgrade it to 15 or newer.');
}

function checkEncoding({ encoding }: Facts): Finding {
  if (encoding === 'UTF8') return ok('encoding', encoding);
  return problem(
    'encoding',
    `The database's encoding is ${encoding}; Overheard needs UTF8.`,
    "Create another with `create database overheard encoding 'UTF8' template template0`.",
  );
}

function checkRights({ is_read_only, may_create }: Facts): Finding {
  if (is_read_only) {
    return problem(
      'permissions',
      'The database is read-only: it is a standby, or its settings forbid writing.',
      'Name the primary in --database: the quota and the last use of keys are written.',
    );
  }
  if (may_create) return ok('permissions', 'this user may write and make tables');
  return problem(
    'permissions',
    'This user may not make tables in the schema.',
    'Run `grant create on schema public to USER` as the owner of the database.',
  );
}

async function checkSchema(pool: Pool, { has_schema }: Facts): Promise<Finding[]> {
  if (!has_schema) {
    return [
      warning(
        'schema',
        'The database has no tables of Overheard yet.',
        'They are made at the first start, or with `overheard workspace create`.',
      ),
    ];
  }
  const { rows } = await pool.query<{ part: string; version: number }>(
    'select part, version from schema_versions',
  );
  const versions = new Map(rows.map(({ part, version }) => [part, version]));
  return (['data', 'access', 'ledger'] as const).map((part) =>
    checkSchemaVersion(part, versions.get(part) ?? 0),
  );
}

function checkClock(databaseMs: number, machineMs: number): Finding {
  const apart = Math.round(databaseMs - machineMs);
  if (Math.abs(apart) <= clockWarningMs) return ok('clock', `${apart} ms from the database's`);
  return warning(
    'clock',
    `This machine's clock is ${(Math.abs(apart) / 1000).toFixed(1)} s ${apart > 0 ? 'behind' : 'ahead of'} the database's.`,
    "Set both by NTP: expiry of keys and the days of scores use the machine's clock, the quota uses the database's.",
  );
}

function checkConnections({ connections_free }: Facts): Finding {
  const message = `${connections_free} connections free`;
  if (connections_free >= connectionsWanted) return ok('connections', message);
  return warning(
    'connections',
    message,
    'Raise max_connections, or lower --database-connections of each server.',
  );
}

async function checkCitus(pool: Pool, { has_citus, has_schema }: Facts): Promise<Finding[]> {
  if (!has_citus) return [ok('citus', 'not installed: the tables are on one server')];
  const { rows } = await pool.query<{ is_spread: boolean }>(
    `select exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('workspaces')) as is_spread`,
  );
  if (rows[0]?.is_spread === true) return [ok('citus', 'the tables are distributed by workspace')];
  if (!has_schema) return [ok('citus', 'installed')];
  return [
    warning(
      'citus',
      'Installed, but the tables are on one node.',
      'Spread them with `overheard database distribute`.',
    ),
  ];
}
