import type { DetectionRow, Outcome } from '@overheard/contract';
import { importMarks } from './import-tables.ts';
import { bigint, boolean, double, integer, table, text } from './table.ts';

/** Questions, answers and who is cited in them. */
export const answerTables = {
  prompts: table({
    key: ['workspace_id', 'id'],
    index: { prompts_by_time: { columns: ['workspace_id', 'created_at desc', 'id'] } },
    columns: {
      workspace_id: text(),
      id: text(),
      text: text(),
      language: text(),
      locale: text(),
      active: boolean(),
      created_at: text(),
      ...importMarks,
      /** Whether a person has switched the prompt on, so that it is put to engines for money. */
      collect: boolean().default('false'),
    },
  }),
  /** The tags of prompts. At most one of a prompt is its topic. */
  prompt_tags: table({
    key: ['workspace_id', 'prompt_id', 'tag'],
    index: {
      prompt_tags_topic: {
        columns: ['workspace_id', 'prompt_id'],
        isUnique: true,
        where: 'is_topic',
      },
    },
    columns: { workspace_id: text(), prompt_id: text(), tag: text(), is_topic: boolean() },
  }),
  /** What people have said of a tag; a tag of which nothing is said has no row. */
  tags: table({
    key: ['workspace_id', 'tag'],
    columns: {
      workspace_id: text(),
      tag: text(),
      /** Whether prompts with this topic are not about the brand's market, and so are no gaps. */
      outside_market: boolean(),
    },
  }),
  /** Columns that belong to the answer are null on runs imported with detections alone. */
  runs: table({
    key: ['workspace_id', 'id'],
    index: {
      runs_by_time: { columns: ['workspace_id', 'run_at desc', 'id'] },
      runs_by_prompt: { columns: ['workspace_id', 'prompt_id', 'run_at desc', 'id'] },
    },
    columns: {
      workspace_id: text(),
      id: text(),
      prompt_id: text().nullable(),
      engine: text(),
      run_at: text(),
      outcome: text<Outcome>().nullable(),
      /** The model; also null if the import does not name it. */
      model: text().nullable(),
      /** The method that judged the answer. */
      method: text().nullable(),
      /** Whether the prompt, as it was asked, names the brand. Such runs are not scored. */
      branded: boolean().nullable(),
      /** Whether the prompt, as it was asked, names a competitor; null on runs judged before this was stored. */
      names_competitor: boolean().nullable(),
      /** Hash of everything that decides whether runs may be compared. */
      cohort: text().nullable(),
      /** Id of the set of subjects that judged the answer. */
      judged_by: text().nullable(),
      ...importMarks,
      /** Whether the engine searched before it answered; null if that is unknown. */
      searched: boolean().nullable(),
    },
  }),
  detections: table({
    key: ['workspace_id', 'id'],
    index: {
      // A subject is detected once per run. Rows without a subject are distinct in both databases.
      detections_by_run: {
        columns: ['workspace_id', 'run_id', 'subject_type', 'subject_id'],
        isUnique: true,
      },
    },
    columns: {
      workspace_id: text(),
      id: text(),
      run_id: text(),
      subject_type: text<DetectionRow['subject_type']>(),
      subject_id: text().nullable(),
      cited: boolean(),
      position: bigint().nullable(),
      rank: bigint().nullable(),
      sentiment: text<NonNullable<DetectionRow['sentiment']>>().nullable(),
      /** The mention or link that shows it, in this and the next two columns. Null on imported rows. */
      alias: text().nullable(),
      sentence: text().nullable(),
      url: text().nullable(),
      ...importMarks,
    },
  }),
  /** Answers have their own table, because they are long and the API reads runs. */
  answers: table({
    key: ['workspace_id', 'run_id'],
    columns: {
      workspace_id: text(),
      run_id: text(),
      /** The prompt's text as it was put to the engine. */
      asked: text(),
      answer: text(),
      /** JSON: `[{url, title?}]`, in the engine's order. */
      sources: text(),
      /** JSON: the sites that the answer links or names as sources, each once, in order. */
      sites: text(),
      /** The range of the answer that counts. See `CountedRange`. */
      counts_from: integer().nullable(),
      counts_to: integer().nullable(),
      /** JSON: the queries that the engine searched for, in its order; null if that is unknown. */
      queries: text().nullable(),
    },
  }),
  /** Text that an engine's page writes around its answers, which a person has taken off the count. */
  page_texts: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      engine: text(),
      place: text<'head' | 'tail'>(),
      text: text(),
    },
  }),
  /** A score, derived from runs or imported from a file. */
  scores: table({
    index: {
      scores_by_day: { columns: ['workspace_id', 'date desc', 'engine'], isUnique: true },
    },
    columns: {
      workspace_id: text(),
      id: text(),
      date: text(),
      engine: text(),
      citations: bigint(),
      total_runs: bigint(),
      sov: double(),
      origin: text<'derived' | 'imported'>(),
      ...importMarks,
      /** JSON: the figures of the imported score that a derived one replaces. */
      replaced: text().nullable(),
    },
  }),
} as const;
