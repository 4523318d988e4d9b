import type { Stance } from '@overheard/contract';
import { boolean, double, table, text } from './table.ts';

/** How answers present the subjects that they cite. */
export const stanceTables = {
  /** How one answer presents one subject, as the judge says. */
  stances: table({
    key: ['workspace_id', 'run_id', 'subject_id'],
    index: { stances_by_time: { columns: ['workspace_id', 'judged_at desc', 'run_id'] } },
    columns: {
      workspace_id: text(),
      run_id: text(),
      subject_id: text(),
      /** Null if the row is void: the judge's quote is not in the answer, or there is no verdict. */
      stance: text<Stance>().nullable(),
      /** What it is recommended for, in the answer's words. */
      purpose: text().nullable(),
      /** A substring of the answer; null if the row is void. */
      quote: text().nullable(),
      /** The engine of the judge. */
      judge: text(),
      /** The judge's model as served; null if a rule proves every stance of the answer. */
      model: text().nullable(),
      /** The version of the question to the judge, which the rules are part of. */
      version: double(),
      /** Whether a rule proves the stance, and not the judge. */
      by_rule: boolean(),
      judged_at: text(),
      /** The sentiment that follows from the stance; null if none does. */
      sentiment: text<'positive' | 'neutral' | 'negative'>().nullable(),
    },
  }),
  /** How a person judged a row that was drawn to check the judge. */
  stance_labels: table({
    key: ['workspace_id', 'run_id', 'subject_id'],
    columns: {
      workspace_id: text(),
      run_id: text(),
      subject_id: text(),
      stance: text<Stance>(),
      labelled_at: text(),
      /** Null for the command line. */
      labelled_by: text().nullable(),
    },
  }),
} as const;
