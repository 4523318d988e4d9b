import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * Verdicts now depend on each hit and its day. Drops samples of lines, torn lines and the tags of
 * lists. Old `spoofed` verdicts that today's rules would doubt wait for the next lists.
 */
export const soberVerdicts: Migration = {
  name: 'sober verdicts',
  up: change,
  distributed: [],
  reference: [],
  dropped: ['log_samples'],
};

async function change(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  const { schema } = db;
  await schema.dropTable('log_samples').execute();
  for (const column of ['provisional_id', 'torn', 'head']) {
    await schema.alterTable('log_files').dropColumn(column).execute();
  }
  await schema.alterTable('log_files').renameColumn('tail', 'fingerprint').execute();
  for (const column of ['etag', 'last_modified', 'content_hash']) {
    await schema.alterTable('operator_checks').dropColumn(column).execute();
  }
  await schema.alterTable('crawler_settings').addColumn('waiting_since', text).execute();
  await renameReasons(db);
  await freeOverruled(db);
  await doubtAccusations(db);
  await groupByHours(db);
}

const renamed = [
  ['no_ip', 'no_address'],
  ['private_ip', 'private_address'],
  ['stale_list', 'list_too_old'],
  ['dns_error', 'dns_pending'],
] as const;

async function renameReasons(db: Kysely<unknown>): Promise<void> {
  for (const [before, after] of renamed) {
    await sql`update hits set evidence = replace(evidence, ${`"reason":"${before}"`}, ${`"reason":"${after}"`})
      where evidence like ${`%"reason":"${before}"%`}`.execute(db);
  }
}

/**
 * Restores the own verdicts of hits that their neighbours or a busy address had overruled. A
 * `spoofed` verdict that a busy address had excused stays unverified until it is judged again.
 */
async function freeOverruled(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ evidence: string }>`
    select distinct evidence from hits where evidence like '{"reason":%"own":%'`.execute(db);
  for (const { evidence } of rows) {
    const [, verification, ownEvidence] =
      /"own":\{"verification":"(\w+)","evidence":(\{.*\})\}\}$/.exec(evidence) ?? [];
    if (ownEvidence === undefined) continue;
    const isExcused = verification === 'spoofed';
    const newEvidence = isExcused ? `{"reason":"none_verified","own":${ownEvidence}}` : ownEvidence;
    await sql`update hits set verification = ${isExcused ? 'unverified' : verification}, evidence = ${newEvidence}
      where evidence = ${evidence}`.execute(db);
  }
  await sql`update hits set evidence = replace(evidence, '"reason":"proxy_ip"', '"reason":"proxy_address"')
    where evidence like '{"reason":"proxy_ip"%'`.execute(db);
}

/**
 * Lists of operators that also name their addresses by DNS. A list alone cannot make a hit spoofed.
 */
const namedLists = ['google/common-crawlers', 'microsoft/', 'amazon/', 'apple/', 'commoncrawl/'];

async function doubtAccusations(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ evidence: string }>`
    select distinct evidence from hits
    where verification = 'spoofed' and evidence like '{"reason":"not_in_list"%'`.execute(db);
  for (const { evidence } of rows) {
    const list = find(evidence, 'list');
    const isNamed = namedLists.some((prefix) => list.startsWith(prefix));
    const doubt = evidence.replace('not_in_list', isNamed ? 'dns_pending' : 'list_pending');
    const [first, last] = [find(evidence, 'list_first_at'), find(evidence, 'list_last_at')];
    await sql`update hits set verification = 'unverified', evidence = ${doubt}
      where evidence = ${evidence} and verification = 'spoofed'
        and (${isNamed ? 1 : 0} = 1 or hit_at < ${first} or hit_at > ${last})`.execute(db);
  }
  await sql`update hits set evidence = replace(evidence, '"reason":"list_pending"', '"reason":"list_too_old"')
    where address is null and evidence like '{"reason":"list_pending"%'`.execute(db);
}

function find(evidence: string, name: string): string {
  return new RegExp(`"${name}":"([^"]*)"`).exec(evidence)?.[1] ?? '';
}

/**
 * Changes groups of ten minutes to groups of an hour. A hit without its address cannot be grouped.
 */
async function groupByHours(db: Kysely<unknown>): Promise<void> {
  await sql`update hits set address_group = null where address is not null`.execute(db);
  const { rows: settings } = await sql<{ workspace_id: string; secret: string }>`
    select workspace_id, secret from crawler_settings`.execute(db);
  for (const { workspace_id: workspaceId, secret } of settings) {
    const key = Buffer.from(secret, 'hex');
    const { rows } = await sql<{ address: string; hour: string }>`
      select distinct address, substr(hit_at, 1, 13) as hour from hits
      where workspace_id = ${workspaceId} and address is not null and evidence is not null`.execute(
      db,
    );
    for (const { address, hour } of rows) {
      const group = groupOf(address, Date.parse(`${hour}:00:00.000Z`), key);
      await sql`update hits set address_group = ${group}
        where workspace_id = ${workspaceId} and address = ${address}
          and hit_at >= ${hour} and hit_at < ${`${hour}~`} and evidence is not null
          and evidence not like '{"reason":"proxy_address"%'
          and evidence not like '{"reason":"private_address"%'`.execute(db);
    }
  }
}

function groupOf(address: string, atMs: number, secret: Buffer): string {
  const hour = Math.floor(atMs / 3_600_000);
  const name = `group\0${Math.floor(hour / 24)}\0${address}`;
  const client = createHmac('sha256', secret).update(name).digest().toString('base64url', 0, 12);
  return `${hour.toString(36).padStart(5, '0')}.${client}`;
}
