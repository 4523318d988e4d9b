import type { SubjectType } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { pad } from '../../storage/chunks.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { guessLanguage } from '../detection/language/guess-language.ts';
import { createMentionLister } from '../detection/list-mentions.ts';
import type { ListMentions, Mention, MentionList } from '../detection/list-mentions.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import { readLatestAnswered } from '../read-stored-runs.ts';
import { readSubjects } from '../subjects.ts';
import type { EngineDay } from './recompute.ts';

/** One cited subject of a run, with the mention or link that shows it. */
export interface StoredCitation {
  readonly subject: string;
  readonly subject_id: string | null;
  readonly subject_type: SubjectType;
  readonly rank: number | null;
  readonly position: number | null;
  readonly alias: string | null;
  readonly sentence: string | null;
  readonly url: string | null;
}

/** A run with the subjects that it cites. */
export interface CitingRun {
  readonly run_id: string;
  readonly prompt_id: string | null;
  readonly asked: string;
  /** Whether the prompt names a competitor; null if that is not known. */
  readonly names_competitor: boolean | null;
  readonly engine: string;
  readonly run_at: string;
  readonly cited: readonly StoredCitation[];
}

/** A run of any outcome. The outcome is null if the run was imported without its answer. */
export type AnyRun = CitingRun & {
  readonly outcome: string | null;
  readonly isBranded: boolean;
};

/** Selects runs by UTC days, both included. Includes all engines and prompts if none are given. */
export interface ExplainedFilter {
  readonly from: string;
  readonly to: string;
  readonly engines?: readonly string[] | undefined;
  readonly promptIds?: readonly string[] | undefined;
}

/** Reads runs with the subjects that they cite, ordered by time. */
export async function readExplainedRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  filter: ExplainedFilter,
): Promise<AnyRun[]> {
  const runs = await selectRuns(db, workspaceId, filter)
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id as run_id', 'prompt_id', 'asked', 'engine', 'run_at', 'outcome', 'branded'])
    .select('names_competitor')
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const cited = Map.groupBy(
    await readCitations(db, workspaceId, filter),
    ({ run_id: runId }) => runId,
  );
  return runs.map(({ run_id, prompt_id, asked, branded, names_competitor: names, ...run }) => ({
    run_id,
    prompt_id,
    asked: asked ?? '',
    names_competitor: names === null ? null : Boolean(names),
    ...run,
    isBranded: Boolean(branded),
    cited: (cited.get(run_id) ?? []).map(({ run_id: _, name, ...citation }) => ({
      subject: name ?? citation.subject_id ?? '',
      ...citation,
    })),
  }));
}

function selectRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, engines, promptIds }: ExplainedFilter,
) {
  return db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.run_at', '>=', startOfDay(from))
    .where('runs.run_at', '<', endOfDay(to))
    .$if(engines !== undefined, (query) => query.where('engine', 'in', pad(engines ?? [])))
    .$if(promptIds !== undefined, (query) => query.where('prompt_id', 'in', pad(promptIds ?? [])));
}

function readCitations(db: Kysely<DataTables>, workspaceId: string, filter: ExplainedFilter) {
  return selectRuns(db, workspaceId, filter)
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .leftJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'detections.subject_id'),
    )
    .select(['run_id', 'subject_id', 'name', 'detections.subject_type', 'rank', 'position'])
    .select(['alias', 'sentence', 'url'])
    .where('cited', '=', true)
    .orderBy('rank')
    .execute();
}

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
