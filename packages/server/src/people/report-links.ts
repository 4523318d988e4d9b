import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';
import { hashToken, newToken } from './tokens.ts';

type Db = Kysely<AccessTables>;

/** One page of a workspace with its period and filters, for people without an account. */
export interface ReportLink {
  readonly id: string;
  readonly workspace_id: string;
  /** The name of the recipient. */
  readonly name: string;
  readonly page: string;
  /** The query of the page, without `?`. */
  readonly view: string;
  /** Whether the page shows answers and evidence. */
  readonly has_texts: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly opened: number;
  readonly opened_at: string | null;
  readonly revoked_at: string | null;
  readonly revoked_by: string | null;
}

/**
 * Makes a report link and returns its token, which is stored only as a hash. The database refuses a
 * second link with the same id.
 */
export async function makeReportLink(
  db: Db,
  link: Pick<ReportLink, 'id' | 'workspace_id' | 'name' | 'page' | 'view' | 'has_texts'>,
  { days, userId, clock }: { days: number; userId: string; clock: () => number },
): Promise<string> {
  const token = newToken();
  const nowMs = clock();
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('report_links')
      .values({
        ...link,
        hash: hashToken(token),
        created_by: userId,
        created_at: new Date(nowMs).toISOString(),
        expires_at: new Date(nowMs + days * dayMs).toISOString(),
        opened: 0,
        opened_at: null,
        revoked_at: null,
        revoked_by: null,
      })
      .execute();
    await note(transaction, { userId, clock }, 'report_link_made', link);
  });
  return token;
}

/** Lists the report links of a workspace, the newest first, including ended ones. */
export async function listReportLinks(db: Db, workspaceId: string): Promise<ReportLink[]> {
  const rows = await db
    .selectFrom('report_links')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, has_texts: Boolean(row.has_texts) }));
}

/** Opens a report link and counts it. Undefined for an unknown, ended or revoked link. */
export async function openReportLink(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<ReportLink | undefined> {
  const link = await findReportLink(db, token, { clock });
  if (link === undefined) return undefined;
  await db
    .updateTable('report_links')
    .set((row) => ({ opened: row('opened', '+', 1), opened_at: new Date(clock()).toISOString() }))
    .where('id', '=', link.id)
    .execute();
  return link;
}

/** Finds a report link without counting it. Undefined for an unknown, ended or revoked link. */
export async function findReportLink(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<ReportLink | undefined> {
  const at = new Date(clock()).toISOString();
  const link = await db
    .selectFrom('report_links')
    .select(columns)
    .where('hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return link && { ...link, has_texts: Boolean(link.has_texts) };
}

/** Revokes a report link of a workspace. False if the workspace has no link with this id. */
export async function revokeReportLink(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  { userId, clock }: ChangeAuthor,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const links = await listReportLinks(transaction, workspaceId);
    const link = links.find((each) => each.id === id);
    if (link === undefined) return false;
    const { numUpdatedRows } = await transaction
      .updateTable('report_links')
      .set({ revoked_at: new Date(clock()).toISOString(), revoked_by: userId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) {
      await note(transaction, { userId, clock }, 'report_link_revoked', link);
    }
    return true;
  });
}

/** The lifetime of a report link in days. */
export const reportLinkDays = { usual: 30, max: 366 } as const;

/** Whether a report link still opens. */
export function isOpenLink(
  { revoked_at, expires_at }: Pick<ReportLink, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): boolean {
  return revoked_at === null && Date.parse(expires_at) > nowMs;
}

/** Never the hash of the token. */
const columns = [
  'id',
  'workspace_id',
  'name',
  'page',
  'view',
  'has_texts',
  'created_by',
  'created_at',
  'expires_at',
  'opened',
  'opened_at',
  'revoked_at',
  'revoked_by',
] as const;

async function note(
  db: Db,
  doing: ChangeAuthor,
  kind: 'report_link_made' | 'report_link_revoked',
  { workspace_id: workspaceId, name, page }: Pick<ReportLink, 'workspace_id' | 'name' | 'page'>,
): Promise<void> {
  await noteEvent(db, doing, { workspaceId, kind, facts: { name: `${name} (${page})` } });
}
