import type { PublishedRow } from '@overheard/contract';
import { findPublishedReport, listPublishedReports } from '../../storage/published-reports.ts';
import type { StoredReport } from '../../storage/published-reports.ts';
import type { ReportSource } from '../report-source.ts';
import { parsePublished } from './compose.ts';
import { readRecount } from './recount.ts';

/** The published reports without their figures, the last first. */
export async function readPublishedRows({
  db,
  workspaceId,
}: ReportSource): Promise<PublishedRow[]> {
  return (await listPublishedReports(db, workspaceId)).map(rowOf);
}

/** One of them with its recount; null if there is none with this id. */
export async function readRecountedRow(
  source: ReportSource,
  { id }: { readonly id: string },
): Promise<PublishedRow | null> {
  const stored = await findPublishedReport(source.db, source.workspaceId, id);
  if (stored === undefined) return null;
  return { ...rowOf(stored), recount: await readRecount(source, parsePublished(stored.body)) };
}

function rowOf({ body, sha256 }: StoredReport): PublishedRow {
  const { id, from, to, tag, published_at: at, surfaces } = parsePublished(body);
  const figures = { report: null, subjects: null, counted: null, revision: null, page: null };
  return { id, from, to, tag, published_at: at, sha256, surfaces, recount: null, ...figures };
}
