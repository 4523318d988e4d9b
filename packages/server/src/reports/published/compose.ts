import { publishedRow } from '@overheard/contract';
import type { PublishedRow } from '@overheard/contract';
import { z } from 'zod';
import { assumeType } from '../../values/assume-type.ts';
import type { DrawnLoss } from '../lost.ts';
import { readOverviewPage } from '../overview-page.ts';
import type { OverviewPage } from '../overview-page.ts';
import type { ReportQuery } from '../period-report.ts';
import { readReport } from '../report.ts';
import type { ReportSource } from '../report-source.ts';
import { readSubjectRows } from '../subjects.ts';
import { addUpPrompts, countRunsByPrompt, splitPrompts } from './runs-by-import.ts';

/** The figures to publish. */
export interface PublicationQuery extends ReportQuery {
  readonly id: string;
  /** The moment, `2026-11-01T00:01:00.000Z`. */
  readonly publishedAt: string;
  /** The name of who publishes it. */
  readonly publishedBy: string;
}

/**
 * Computes the figures of a period for publishing: canonical JSON, the whole body that the endpoint
 * responds with from then on. `source` must read from a snapshot.
 */
export async function composeReport(
  source: ReportSource,
  { id, publishedAt, publishedBy, ...query }: PublicationQuery,
): Promise<string> {
  const { from, to, tag } = query;
  const report = await readReport(source, query);
  const today = publishedAt.slice(0, 10);
  const byPrompt = await countRunsByPrompt(source, query);
  const overview = { ...query, today, excludesCompetitorPrompts: false };
  const page = await readOverviewPage(source, overview);
  const { revision } = await source.db
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', source.workspaceId)
    .executeTakeFirstOrThrow();
  const row: PublishedRow = {
    id,
    from,
    to,
    tag: tag ?? null,
    published_at: publishedAt,
    sha256: null,
    surfaces: report.surfaces.map(({ surface, runs, cited, rate }) => ({
      surface,
      runs,
      cited,
      rate,
    })),
    recount: null,
    report,
    subjects: await readSubjectRows(source),
    counted: addUpPrompts(byPrompt),
    revision,
    page: {
      ...page,
      moved: [],
      lost: page.lost.map(drawnLoss),
      prompts: splitPrompts(byPrompt),
      publishedBy,
    },
  };
  return JSON.stringify({ reports: [row] });
}

/** A lost prompt without what the page does not draw, because there may be hundreds. */
function drawnLoss({ prompt, topic, brand, leader }: DrawnLoss): DrawnLoss {
  const { prompt_id, runs, cited, rate } = brand;
  const { subject_id, name, runs: leaderRuns, cited: leaderCited, rate: leaderRate } = leader;
  return {
    prompt,
    topic,
    brand: { prompt_id, runs, cited, rate },
    leader: { subject_id, name, runs: leaderRuns, cited: leaderCited, rate: leaderRate },
  };
}

/** What the page is drawn from, and what its recount compares. */
interface PublishedPage extends OverviewPage {
  readonly prompts?: ReturnType<typeof splitPrompts>;
  readonly publishedBy?: string;
}

/** What other code needs of a published report. One of an older version has no newer fields. */
const bodySchema = z.object({
  reports: z.tuple([
    z.object({
      ...publishedRow.pick({
        id: true,
        from: true,
        to: true,
        tag: true,
        published_at: true,
        surfaces: true,
        subjects: true,
        counted: true,
      }).shape,
      // A page that an older version wrote has no newer fields.
      page: z.unknown().transform((page) => assumeType<PublishedPage>(page)),
    }),
  ]),
});

/** A published report as it is stored. */
export type PublishedFigures = z.infer<typeof bodySchema>['reports'][0];

/** Whether a report was published before its last day had ended. */
export function isUnfinished({ to, published_at: at }: Pick<PublishedRow, 'to' | 'published_at'>) {
  return at.slice(0, 10) <= to;
}

/** Parses the body of a published report. */
export function parsePublished(body: string): PublishedFigures {
  return bodySchema.parse(JSON.parse(body)).reports[0];
}
