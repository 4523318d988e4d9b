/**
 * Random rows of one workspace that are as hard to keep apart and in order as the schema allows:
 * few ids, few moments, so that workspaces collide and rows tie; text that locales sort differently.
 */
import fc from 'fast-check';
import type { WorkspaceRows } from '../servers/oracle.ts';
import { idOf } from './rows.ts';

const id = fc.nat({ max: 7 }).map(idOf);
const idOrNull = fc.option(fc.nat({ max: 2 }).map(idOf));
const ratio = fc.nat({ max: 10_000 }).map((tenThousandths) => tenThousandths / 10_000);

/** Ligatures, cases, accents, punctuation, and both sides of U+FFFF, where UTF-16 sorts wrongly. */
const word = fc.constantFrom(
  'a',
  'Z',
  'z',
  'é',
  'e',
  'ab',
  'a-b',
  'a_b',
  'a b',
  'A',
  'ö',
  '\uFB01',
  '\uFFEE',
  '😀',
  '𝒳',
);

/** Around the edges of what the endpoints show: 180 days, tomorrow, the first recorded rank. */
const date = fc.constantFrom('2026-05-24', '2026-05-25', '2026-11-19', '2026-11-20', '2026-11-21');
const moment = fc.constantFrom(
  '2026-09-25T23:59:59.999Z',
  '2026-09-26T00:00:00.000Z',
  '2026-11-20T06:00:00.000Z',
  '2026-11-20T06:00:00.001Z',
);

const score = fc.record({
  id,
  date,
  engine: word,
  citations: fc.nat({ max: 2 ** 40 }),
  total_runs: fc.nat({ max: 100 }),
  sov: ratio,
  origin: fc.constantFrom('derived', 'imported'),
});

const prompt = fc.record({
  id,
  text: fc.string({ unit: 'grapheme', minLength: 1 }).filter(isStorable),
  language: fc.constantFrom('en', 'de'),
  locale: fc.constantFrom('en-US', 'de-DE'),
  active: fc.boolean(),
  created_at: moment,
});

const action = fc.record({
  id,
  prompt_id: idOrNull,
  recommendation: word,
  priority: fc.constantFrom('high', 'medium', 'low'),
  status: fc.constantFrom('open', 'in_progress', 'done', 'dismissed'),
  impact_score: fc.option(fc.constantFrom(0, 0.1, 50, 99.99, 100)),
  sov_baseline: fc.option(ratio),
  sov_result: fc.option(ratio),
  created_at: moment,
});

const hit = fc.record({
  id,
  bot_name: word,
  bot_company: word,
  category: fc.constantFrom('crawler', 'search', 'user'),
  path: fc.webPath(),
  method: fc.constantFrom('GET', 'HEAD'),
  status: fc.option(fc.nat({ max: 999 })),
  verification: fc.constantFrom('verified', 'spoofed', 'unverified'),
  hit_at: moment,
});

const run = fc.record({ id, prompt_id: idOrNull, engine: word, run_at: moment });

const detection = fc.record({
  id,
  run_id: id,
  subject_type: fc.constantFrom('brand', 'competitor'),
  subject_id: idOrNull,
  cited: fc.boolean(),
  position: fc.option(fc.nat()),
  rank: fc.option(fc.integer({ min: 1, max: 3 })),
  sentiment: fc.option(fc.constantFrom('positive', 'neutral', 'negative')),
});

const byId = { selector: (row: { id: string }) => row.id, maxLength: 8 };

/** Random rows of one workspace, unique as its tables demand. */
export const randomRows: fc.Arbitrary<WorkspaceRows> = fc.record({
  scores: fc.uniqueArray(score, {
    selector: ({ date: day, engine }) => `${day} ${engine}`,
    maxLength: 8,
  }),
  prompts: fc.uniqueArray(prompt, byId),
  actions: fc.uniqueArray(action, byId),
  hits: fc.uniqueArray(hit, byId),
  runs: fc.uniqueArray(run, byId),
  detections: fc
    .uniqueArray(detection, byId)
    .map((rows) => [
      ...new Map(
        rows.map((row) => [
          row.subject_id === null ? row.id : `${row.run_id} ${row.subject_type} ${row.subject_id}`,
          row,
        ]),
      ).values(),
    ]),
});

/** As at every door: well-formed, without NUL. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
