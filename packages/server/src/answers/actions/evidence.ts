import type { Kysely } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import { countedRuns } from '../../storage/counts/run-counts.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import { countedText, rangeColumns } from '../../values/counted-range.ts';
import { createGroundingResolver, withoutTracking } from '../../values/sites/site.ts';
import { placesOf, placeText } from '../../values/sites/owned-path.ts';
import { hostOf, unwrapAddress, withScheme } from '../../values/sites/web-host.ts';
import { findLinks } from '../detection/links/find-links.ts';
import { createPageOwners } from '../../values/sites/page-owners.ts';
import type { AnswerSource, DetectableSubject } from '../detection/subject.ts';
import { decodeText } from '../detection/text/decode.ts';

/** What one counted run says about the subjects. */
export type RunEvidence = Awaited<ReturnType<typeof readRunEvidence>>[number];

/** Both ends are moments as text in normal form: the first is included, the last is excluded. */
export interface Span {
  readonly from: string;
  readonly before: string;
}

/** Answers can be megabytes long. */
const answersAtOnce = 32;

/**
 * Reads the counted runs of one prompt in a span, ordered by time: answered runs whose prompt does
 * not name the brand. Reads their pages if a page reader is given.
 */
export async function readRunEvidence(
  db: Kysely<DataTables>,
  workspaceId: string,
  { promptId, span, reader }: { promptId: string; span: Span; reader?: PageReader },
) {
  const counted = countedRuns(db, workspaceId)
    .where('prompt_id', '=', promptId)
    .where('run_at', '>=', span.from)
    .where('run_at', '<', span.before);
  const runs = await counted
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'engine', 'model', 'sites', 'sources'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const cited = await counted
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .select(['run_id', 'subject_type', 'subject_id', 'rank', 'position', 'url'])
    .where('cited', '=', true)
    .orderBy('run_id')
    .orderBy('rank')
    .execute();
  const citedIn = Map.groupBy(cited, ({ run_id: runId }) => runId);
  const pages = await readPages(db, workspaceId, { runs, reader });
  return runs.map(({ id, engine, model }) => {
    const all = citedIn.get(id) ?? [];
    return {
      id,
      engine,
      /** The model that answered; null if it is not known. */
      model,
      /** Undefined if the brand is not cited. */
      brand: all.filter((one) => one.subject_type === 'brand').map(toCited)[0],
      competitors: all.filter((one) => one.subject_type === 'competitor').map(toCited),
      /** Third-party pages that the answer links to or gives as sources, each once. */
      pages: pages.get(id) ?? [],
    };
  });
}

/** The pages by run. An answer's text is read only if it links to a site or has a source. */
async function readPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    runs,
    reader,
  }: {
    runs: ReadonlyArray<{ readonly id: string; readonly sites: string; readonly sources: string }>;
    reader: PageReader | undefined;
  },
): Promise<Map<string, readonly string[]>> {
  const pages = new Map<string, readonly string[]>();
  if (reader === undefined) return pages;
  const withText = new Map<string, ReturnType<typeof parseStoredSources>>();
  for (const { id, sites, sources: stored } of runs) {
    // Links in the text count, too, and may be to other pages of the same sites.
    if (sites !== '[]') withText.set(id, parseStoredSources(stored));
  }
  for (const ids of inChunks([...withText.keys()], answersAtOnce)) {
    const answers = await db
      .selectFrom('answers')
      .select(['run_id', 'answer', ...rangeColumns])
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', ids)
      .execute();
    for (const { run_id: id, ...stored } of answers) {
      pages.set(id, reader.pagesOf(withText.get(id) ?? [], countedText(stored)));
    }
  }
  return pages;
}

function toCited(row: {
  readonly subject_id: string | null;
  readonly rank: number | null;
  readonly position: number | null;
  readonly url: string | null;
}) {
  return {
    subjectId: row.subject_id ?? '',
    rank: row.rank ?? 0,
    isNamed: row.position !== null,
    isLinked: row.url !== null,
  };
}

/** Counts the counted runs in a span of each prompt that is still asked, by prompt id. */
export async function countPrompts(
  db: Kysely<DataTables>,
  workspaceId: string,
  span: Span,
): Promise<Array<{ readonly id: string; readonly text: string; readonly runs: number }>> {
  return countedRuns(db, workspaceId)
    .innerJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'runs.prompt_id'),
    )
    .where('run_at', '>=', span.from)
    .where('run_at', '<', span.before)
    .where('prompts.active', '=', true)
    .select(['prompts.id', 'prompts.text', (query) => query.fn.countAll<number>().as('runs')])
    .groupBy(['prompts.id', 'prompts.text'])
    .orderBy('prompts.id')
    .execute();
}

/** Reads the third-party pages that an answer links to or gives as sources, each once, in order. */
export type PageReader = ReturnType<typeof createPageReader>;

/**
 * Makes a reader that leaves out the pages of tracked subjects, because the brand cannot get itself
 * added to a competitor's own page.
 */
export function createPageReader(subjects: readonly DetectableSubject[]) {
  const ownerOf = createPageOwners(subjects);
  return {
    /** Reads the pages. Links in the text count if the text is given. */
    pagesOf(sources: readonly AnswerSource[], text?: string): string[] {
      const links = text === undefined ? [] : findLinks(decodeText(text), () => false);
      const resolve = createGroundingResolver(sources);
      const addresses = [
        ...sources.map(({ url, title }) => resolve(withScheme(url), title)),
        ...links.map(({ address }) => (address === undefined ? undefined : resolve(address))),
      ];
      return [...new Set(addresses.flatMap((address) => foreignPage(address) ?? []))];
    },
  };

  function foreignPage(address: string | undefined): string | undefined {
    const host = address === undefined ? undefined : hostOf(address);
    if (address === undefined || host === undefined) return undefined;
    return ownerOf(address, host) === undefined ? pageOf(address) : undefined;
  }
}

/** A page in normal form, so that two addresses of the same page are equal: `g2.com/crm?page=2`. */
function pageOf(address: string): string | undefined {
  const url = unwrapAddress(address);
  if (url === undefined) return undefined;
  return `${placeText(placesOf(url)[0])}${withoutTracking(url).search}`;
}
