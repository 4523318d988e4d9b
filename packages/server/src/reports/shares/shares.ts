import { setImmediate } from 'node:timers/promises';
import type { ShareRow } from '@overheard/contract';
import { countPromptRuns } from '../../storage/rollups/prompt-counts.ts';
import { readRunCounts } from '../../storage/rollups/run-counts.ts';
import type { RunCounts } from '../../storage/rollups/run-counts.ts';
import { addDays } from '../../values/utc-day.ts';
import { readSubjectRows } from '../subjects.ts';
import type { ReportSource } from '../report-source.ts';
import { createFigures } from './figures.ts';
import { toShareRows } from './share-rows.ts';
import type { GroupSubject, Grouping } from './share-rows.ts';
import { createTally } from './tally.ts';
import { readTracking } from './tracking.ts';
import { windowsOf } from './windows.ts';
import type { Period } from './windows.ts';

/** What shares are asked for; the period is resolved. */
export interface ShareQuery extends Period {
  readonly by: Grouping;
  readonly withoutCompetitorPrompts: boolean;
  readonly engine?: string | undefined;
  readonly locale?: string | undefined;
  readonly promptId?: string | undefined;
  /** Leaves the period before unread: then every verdict is `too_few`. */
  readonly withoutChanges?: boolean;
  readonly rowsMax: number;
}

const blockDays = { day: 1, week: 7 } as const;

/** Citation rate and share of voice of every subject, over counted runs pooled by counts. */
export async function readShares(source: ReportSource, query: ShareQuery): Promise<ShareRow[]> {
  const { by, promptId } = query;
  const subjects = await readSubjectRows(source);
  const subjectIds = subjects.map(({ id }) => id);
  const tracking = await readTracking(source, subjectIds);
  const locales = await readLocales(source, query);
  const isBlocks = by === 'day' || by === 'week';
  const isOnePrompt = by === 'prompt' || promptId !== undefined;
  const windows = windowsOf(query, isBlocks ? blockDays[by] : undefined).map((window) => ({
    window,
    tally: createTally({ subjectIds, isLeftOut, groupOf }),
  }));
  const lines: GroupSubject[] = [];
  // A first block that is cut short reaches less far back than the one after it.
  const starts = windows.map(({ window }) => window.before.from);
  const earliest = query.withoutChanges === true ? undefined : starts.toSorted()[0];
  const days = { from: earliest ?? query.from, to: query.to };
  const { db, workspaceId } = source;
  const asked = { ...days, engine: query.engine };
  const stored =
    promptId === undefined
      ? readRunCounts(db, workspaceId, asked)
      : countPromptRuns(db, workspaceId, { ...asked, promptId });
  for await (const rows of stored) {
    for (const row of rows) add(row);
    await setImmediate();
  }
  finish(addDays(query.to, 1));
  return toShareRows(lines, { subjects, by, isMovers: isBlocks || by === 'prompt' }).slice(
    0,
    query.rowsMax,
  );

  function add(row: RunCounts): void {
    finish(row.date);
    for (const { window, tally } of windows) {
      if (isWithin(row.date, window)) tally.add(row, 'now');
      else if (isWithin(row.date, window.before)) tally.add(row, 'before');
    }
  }

  /** Works out what ended before a day, so that not all days of a year are in memory. */
  function finish(date: string): void {
    while (windows[0] !== undefined && windows[0].window.to < date) {
      const { window, tally } = windows[0];
      windows.shift();
      for (const [key, group] of tally.groups) {
        if (group.runs === 0) continue;
        const { figuresOf, ...counts } = createFigures(group, { tracking, isOnePrompt });
        for (const [place, subject] of subjects.entries()) {
          const figures = figuresOf(place);
          lines.push({ subject, place, window, key, group, ...counts, figures });
        }
      }
    }
  }

  function isLeftOut(id: string, namesCompetitor: boolean): boolean {
    if (promptId !== undefined && id !== promptId) return true;
    if (query.withoutCompetitorPrompts && namesCompetitor) return true;
    return query.locale !== undefined && locales.get(id) !== query.locale;
  }

  function groupOf(id: string, engine: string): string {
    if (by === 'engine') return engine;
    if (by === 'prompt') return id;
    return by === 'locale' ? (locales.get(id) ?? '') : '';
  }
}

/** The locale of each prompt, where it matters. */
async function readLocales(
  { db, workspaceId }: ReportSource,
  { by, locale }: ShareQuery,
): Promise<ReadonlyMap<string, string>> {
  if (by !== 'locale' && locale === undefined) return new Map();
  const prompts = await db
    .selectFrom('prompts')
    .select(['id', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(prompts.map((prompt) => [prompt.id, prompt.locale]));
}

function isWithin(date: string, { from, to }: Period): boolean {
  return date >= from && date <= to;
}
