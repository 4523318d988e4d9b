import { Refusal } from '../../refusals.ts';
import { findId } from '../../storage/queries/find-id.ts';
import type { Store } from '../../storage/store.ts';
import { ownEvidence, shownEvidence } from './hit.ts';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { parseAddress } from '../../values/addresses/address.ts';
import type { Bot } from '../bots/catalogue.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';

/** The columns that an operator sees: never the hash of the client's network. */
const shownColumns = [
  'id',
  'bot_name',
  'bot_company',
  'category',
  'path',
  'method',
  'status',
  'verification',
  'hit_at',
  'host',
  'address',
  'user_agent',
  'signature',
  'import_id',
  'later_import_id',
  'robots_outcomes',
] as const;

/**
 * Explains one hit, by its id or the beginning of the id. If the site's hits or visitors overrule it, gives
 * its own evidence, too. Throws a `Refusal` if there is none.
 */
export async function explainHit(store: Store, workspaceId: string, word: string) {
  const id = await findId(store.reader, { table: 'hits', workspaceId, word });
  const row = await store.reader
    .selectFrom('hits')
    .select([...shownColumns, 'evidence', 'overruled_by'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id ?? '')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('hit_not_found', { word });
  const { evidence, overruled_by: by, ...hit } = row;
  const ownVerdict = by === null ? undefined : ownEvidence(evidence);
  return { hit, evidence: shownEvidence(row), own: ownVerdict };
}

/**
 * Finds the bot that a user agent names. With an address it also judges a hit from there by itself.
 * Throws a `Refusal` for a malformed address.
 */
export async function explainAgent(
  db: Kysely<DataTables> | undefined,
  {
    userAgent,
    address: text,
    atMs,
    bots,
    hostNames,
    clock,
  }: {
    userAgent: string;
    address: string | undefined;
    /** When the request was, milliseconds since 1970. */
    atMs: number;
    bots: readonly Bot[];
    hostNames: HostNames | undefined;
    clock: () => number;
  },
) {
  const address = text === undefined ? undefined : parseAddress(text);
  if (text !== undefined && address === undefined) {
    throw new Refusal('address_malformed', { text });
  }
  const bot = createRecogniser(bots)(userAgent);
  if (bot === undefined || address === undefined || db === undefined) {
    return { bot: bot ?? null, verification: null, evidence: null };
  }
  const verifier = createVerifier({
    files: await readFileVersions(db),
    bots,
    ownSites: [],
    hostNames,
    clock,
  });
  const request = { bot, address, atMs, method: 'GET', target: '/', userAgent, signature: null };
  return { bot, ...(await verifier.judge(request)) };
}
