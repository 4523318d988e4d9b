import { hash } from 'node:crypto';
import { noteEvent } from '../people/events.ts';
import type { ChangeAuthor } from '../people/events.ts';
import { composeReport, parsePublished } from '../reports/published/compose.ts';
import type { PublicationQuery, PublishedFigures } from '../reports/published/compose.ts';
import { Refusal } from '../refusals.ts';
import { findPublishedReport } from '../storage/published-reports.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/**
 * Stores the figures of `composeReport` as they are. Does nothing if a report with this id is stored
 * already: a published report is never changed.
 */
export async function publishReport(
  store: Store,
  workspaceId: string,
  { body, author }: { body: string; author: ChangeAuthor },
): Promise<{ sha256: string; isNew: boolean }> {
  const sha256 = hash('sha256', body);
  const figures = parsePublished(body);
  const { id, published_at } = figures;
  const { hasChanged } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('published_reports')
      .values({
        workspace_id: workspaceId,
        id,
        published_at,
        sha256,
        body,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .executeTakeFirstOrThrow();
    return { hasChanged: inserted === 1n };
  });
  if (hasChanged) await note(store, workspaceId, author, 'report_published', figures);
  return { sha256, isNew: hasChanged };
}

/** Computes the figures of a period and publishes them. */
export async function publishPeriod(
  store: Store,
  workspaceId: string,
  query: Omit<PublicationQuery, 'publishedAt'>,
  author: ChangeAuthor,
): Promise<{ body: string; sha256: string; isNew: boolean }> {
  const body = await composePeriod(store, workspaceId, { query, author });
  return { body, ...(await publishReport(store, workspaceId, { body, author })) };
}

/** Computes the figures of a period, as of now. */
export async function composePeriod(
  store: Store,
  workspaceId: string,
  { query, author }: { query: Omit<PublicationQuery, 'publishedAt'>; author: ChangeAuthor },
): Promise<string> {
  const publishedAt = new Date(author.clock()).toISOString();
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    return await composeReport({ db, workspaceId }, { ...query, publishedAt });
  } finally {
    await release();
  }
}

/** Removes a published report, and notes it in the history. Throws a `Refusal` if there is none. */
export async function unpublishReport(
  store: Store,
  workspaceId: string,
  { id, author }: { id: string; author: ChangeAuthor },
): Promise<void> {
  const stored = await findPublishedReport(store.reader, workspaceId, id);
  const { hasChanged } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('published_reports')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    return { hasChanged: numDeletedRows === 1n };
  });
  if (stored === undefined || !hasChanged) throw new Refusal('report_not_found', { id });
  await note(store, workspaceId, author, 'report_unpublished', parsePublished(stored.body));
}

function note(
  { access }: Store,
  workspaceId: string,
  author: ChangeAuthor,
  kind: 'report_published' | 'report_unpublished',
  { from, to, tag }: PublishedFigures,
): Promise<void> {
  const name = `${from} to ${to}${tag === null ? '' : `, ${tag}`}`;
  return noteEvent(access, author, { workspaceId, kind, facts: { name } });
}
