import type { Kysely } from 'kysely';
import { eachPackedName } from '../../storage/counts/packed-runs.ts';
import { readPackedPages } from '../../storage/counts/source-counts.ts';
import { readTagsByPrompt, topicIn } from '../../storage/prompt-tags.ts';
import type { DataTables } from '../../storage/schema.ts';
import { proposeTopics } from './propose-topics.ts';

/** The newest so many are compared, because the time grows with their square. */
const promptsMax = 3000;

/** Proposes topics for the prompts that have none, by their words and the pages that answers cite. */
export async function readTopicProposals({
  db,
  workspaceId,
}: {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
}) {
  const stored = await db
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const compared = stored.slice(0, promptsMax);
  const tags = await readTagsByPrompt(db, workspaceId);
  const pages = await readCitedPages(db, workspaceId);
  const prompts = compared.map(({ id, text, language, locale }) => ({
    id,
    text,
    language,
    locale,
    topic: topicIn(tags.get(id)),
    pages: pages.get(id) ?? new Map<string, number>(),
  }));
  const free = new Map(
    prompts
      .filter(({ topic }) => topic === null)
      .map(({ id, text, locale }) => [id, { id, text, locale }]),
  );
  const take = (id: string) => {
    const prompt = free.get(id);
    free.delete(id);
    return prompt === undefined ? [] : [prompt];
  };
  const topics = proposeTopics(prompts).map(({ promptIds, ...topic }) => ({
    ...topic,
    prompts: promptIds.flatMap(take),
  }));
  // `others` are in none of the topics; those that are skipped were not looked at, as there are too many.
  return { topics, others: [...free.values()], skipped: stored.length - compared.length };
}

/** The pages that counted answers of the last 28 days cite, by prompt, with the number of answers. */
async function readCitedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<Map<string, Map<string, number>>> {
  const cited = new Map<string, Map<string, number>>();
  for await (const { prompts, pages } of readPackedPages(db, workspaceId)) {
    const ofRuns = [...eachPackedName(prompts)];
    for (const [run, urls] of [...eachPackedName(pages)].entries()) {
      const [prompt = ''] = ofRuns[run] ?? [];
      const counts = cited.get(prompt) ?? new Map<string, number>();
      cited.set(prompt, counts);
      for (const url of new Set(urls)) counts.set(url, (counts.get(url) ?? 0) + 1);
    }
  }
  return cited;
}
