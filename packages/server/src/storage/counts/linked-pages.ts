import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { countedText, rangeColumns } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { pageOf } from '../../values/sites/site.ts';
import { addDays, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { withScheme } from '../../values/sites/web-host.ts';
import type { DataTables } from '../schema.ts';

const storedSources = z.array(z.object({ url: z.string(), title: z.string().exactOptional() }));

/** Parses the sources of a stored answer. */
export function parseStoredSources(sources: string): z.infer<typeof storedSources> {
  return storedSources.parse(JSON.parse(sources));
}

/** An answered run that cites the brand by a link. */
export interface LinkingRun extends CountedRange {
  readonly id: string;
  readonly engine: string;
  readonly run_at: string;
  readonly answer: string;
  /** JSON, as in `answers`. */
  readonly sources: string;
  /** The link that cites the brand. */
  readonly url: string | null;
}

/**
 * Reads the answered runs of a day that cite the brand by a link, including runs of branded
 * prompts.
 */
export async function readLinkingRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engine }: { date: string; engine?: string | undefined },
): Promise<LinkingRun[]> {
  return db
    .selectFrom('runs')
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .where('runs.workspace_id', '=', workspaceId)
    .where('run_at', '>=', startOfDay(date))
    .where('run_at', '<', endOfDay(date))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .where('outcome', '=', 'answered')
    .where('subject_type', '=', 'brand')
    .where('detections.url', 'is not', null)
    .select(['runs.id', 'engine', 'run_at', 'answer', ...rangeColumns, 'sources', 'url'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
}

/** A web address in running text or Markdown, with parentheses only in pairs: `/wiki/Acme_(CRM)`. */
const writtenAddress = /https?:\/\/(?:[^\s<>()[\]"'`]|\([^\s<>()[\]"'`]*\))+/gi;

/** The addresses in the text of an answer that counts, as often as they are there. */
export function writtenAddresses(run: CountedRange & { readonly answer: string }): string[] {
  const addresses = countedText(run).match(writtenAddress) ?? [];
  return addresses.map((text) => text.replace(/[.,;:!?*_]+$/, ''));
}

/** The addresses that an answer gives as sources or in the text that counts. */
export function addressesOf(run: LinkingRun): string[] {
  return [
    ...parseStoredSources(run.sources).map((source) => withScheme(source.url)),
    ...writtenAddresses(run),
    withScheme(run.url ?? ''),
  ];
}

/**
 * The distinct pages that the runs link to, sorted as text. Includes pages of all owners, because a
 * page's owner may change.
 */
export function linkedPagesOf(runs: readonly LinkingRun[]): string[] {
  const pages = runs.flatMap(addressesOf).flatMap((address) => pageOf(address)?.url ?? []);
  return [...new Set(pages)].toSorted();
}

const storedPages = z.array(z.string());

/** Reads the stored pages of a period, each once. */
export async function* readLinkedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): AsyncGenerator<string> {
  const knownPages = new Set<string>();
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const rows = await db
      .selectFrom('source_counts')
      .select('linked')
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .execute();
    for (const page of rows.flatMap(({ linked }) => storedPages.parse(JSON.parse(linked)))) {
      if (knownPages.has(page)) continue;
      knownPages.add(page);
      yield page;
    }
    await setImmediate();
  }
}
