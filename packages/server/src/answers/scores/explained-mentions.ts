import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { guessLanguage } from '../detection/language/guess-language.ts';
import { createMentionLister } from '../detection/list-mentions.ts';
import type { ListMentions, Mention, MentionList } from '../detection/list-mentions.ts';
import type { StoredRun } from '../judged-run.ts';
import { readLatestAnswered } from '../read-stored-runs.ts';
import { readSubjects } from '../subjects.ts';
import type { CitingRun, StoredCitation } from './explained-runs.ts';
import type { EngineDay } from './recompute.ts';

/** A citation with the mentions behind it. */
export interface ExplainedCitation extends StoredCitation {
  /**
   * The name as written at the position; the alias if the subjects have changed; null if there is
   * only a link.
   */
  readonly mention: string | null;
  readonly mentions: ReadonlyArray<
    Pick<Mention, 'text' | 'position'> & { readonly sentence: string | null }
  >;
  /** How many mentions there are, shown or not. */
  readonly mentions_total: number;
}

/** A counted run. */
export type ExplainedRun = Omit<CitingRun, 'cited'> & {
  readonly cited: readonly ExplainedCitation[];
};

/**
 * Reads the mentions from the answers and adds them to the citations of runs. If subjects have
 * changed since a run was judged and no longer give the stored position, the stored alias and
 * sentence are the only mention.
 */
export async function addMentions(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    runs,
    day: { date, engine },
    mentionsMax,
  }: { runs: readonly CitingRun[]; day: EngineDay; mentionsMax: number },
): Promise<ExplainedRun[]> {
  const listMentions = createMentionLister(await readSubjects(db, workspaceId));
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const lists = new Map<string, ReadonlyMap<string, MentionList>>();
  const ofDay = { since: startOfDay(date), before: endOfDay(date), engine };
  for await (const batch of readLatestAnswered(db, workspaceId, ofDay)) {
    for (const stored of batch) {
      const run = byId.get(stored.id);
      if (run !== undefined)
        lists.set(run.run_id, mentionsOf(run, { stored, listMentions, mentionsMax }));
    }
  }
  return runs.map((run) => ({
    ...run,
    cited: run.cited.map((citation) =>
      explainCitation(citation, lists.get(run.run_id)?.get(citation.subject_id ?? '')),
    ),
  }));
}

function mentionsOf(
  { cited }: CitingRun,
  {
    stored: { answer, asked, language, ...range },
    listMentions,
    mentionsMax,
  }: { stored: StoredRun; listMentions: ListMentions; mentionsMax: number },
): ReadonlyMap<string, MentionList> {
  const from = new Map<string, number>();
  for (const { subject_id: id, position } of cited) {
    if (id !== null && position !== null) from.set(id, position);
  }
  if (from.size === 0) return new Map();
  return listMentions(answer, {
    language: guessLanguage(language, asked),
    range,
    from,
    mentionsMax,
  });
}

/** A citation with its mentions. Without a list, the stored mention is the only one. */
export function explainCitation(citation: StoredCitation, list?: MentionList): ExplainedCitation {
  const { position, alias, sentence } = citation;
  if (position === null) return { ...citation, mention: null, mentions: [], mentions_total: 0 };
  const { total, mentions } = list ?? {
    total: 1,
    mentions: [{ text: alias ?? '', position, sentence }],
  };
  const places = mentions.map(({ text, position: at, sentence: whole }) => ({
    text,
    position: at,
    sentence: whole,
  }));
  return {
    ...citation,
    mention: places[0]?.text ?? alias,
    mentions: places,
    mentions_total: total,
  };
}
