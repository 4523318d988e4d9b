import { fillCounts } from '../../../answers/counts/fill-counts.ts';
import { noteEvent } from '../../../people/events.ts';
import { daysOfMonth, lastMonth, setMonthly } from '../../../publishing/publish-months.ts';
import { publishPeriod, unpublishReport } from '../../../publishing/publish-report.ts';
import { isUnfinished, parsePublished } from '../../../reports/published/compose.ts';
import { readRecount } from '../../../reports/published/recount.ts';
import { Refusal } from '../../../refusals.ts';
import {
  countPublishedReports,
  findPublishedReport,
  listPublishedReports,
} from '../../../storage/published-reports.ts';
import { findId } from '../../../storage/queries/find-id.ts';
import { percent } from '../../../values/figure-words.ts';
import { amount } from '../../../values/plural.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { newId } from '../../../values/uuid.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import type { WorkspaceContext } from '../../define/define-command.ts';
import { parsedText } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { runOptions } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { UsageError } from '../../terminal/command-error.ts';

const { from, to, tag } = runOptions;

export const publishCommand = defineWorkspaceCommand({
  name: 'publish',
  summary: 'store the figures of a period as they are now, for good',
  description:
    'Computes the report of a period, of the month before if none is given, and stores it with the runs behind it and its SHA-256. The page, its file, the API and the tools show these bytes from then on: nothing that is imported, removed, judged again or upgraded later changes them.',
  options: {
    from,
    to,
    month: parsedText('<month>', 'a month instead of --from and --to, such as 2026-10', {
      parse: (text) =>
        /^(?:19[7-9]|[2-8]\d\d)\d-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined,
      expected: 'It must be a month such as 2026-10.',
    }),
    tag,
  },
  json: '{id, sha256, bytes, from, to, tag}',
  examples: [
    'overheard report publish --workspace acme',
    'overheard report publish --workspace acme --month 2026-10 --tag Agencies',
  ],
  run: async (context, values) => {
    const { io, store, workspaceId, slug } = context;
    const { month, ...days } = values;
    const hasDays = days.from !== undefined || days.to !== undefined;
    if (hasDays && month !== undefined) {
      throw new UsageError('Give the period by --month or by --from and --to, not both.');
    }
    const period = hasDays
      ? readPeriod({ ...days, days: undefined }, io)
      : daysOfMonth(month ?? lastMonth(io.clock()));
    if (period.from > utcDay(io.clock())) {
      throw new UsageError('The period has not begun. Choose an earlier one.');
    }
    const { tag: chosen } = await namedFilters(context, { tag: values.tag });
    const id = newId(io.clock);
    // After an upgrade a command may run before the server has filled the counts.
    await fillCounts(store, workspaceId);
    const query = { ...period, tag: chosen, id, publishedBy: 'the command line' };
    const author = { userId: null, clock: io.clock };
    const { body, sha256 } = await publishPeriod(store, workspaceId, query, author);
    return {
      json: { id, sha256, bytes: Buffer.byteLength(body), ...period, tag: chosen ?? null },
      words: [
        `Published the report of ${slug} from ${period.from} to ${period.to} (id ${id}).`,
        `SHA-256 ${sha256}`,
        ...(isUnfinished(parsePublished(body))
          ? ['The period has not ended: later answers are not in this report.']
          : []),
      ],
    };
  },
});

export const publishedCommand = defineWorkspaceCommand({
  name: 'published',
  summary: 'list the published reports, or explain how a recount of one differs',
  description:
    'Lists the published reports, the last first. With an id, counts the same figures again, and says why they differ.',
  arguments: { id: { ...word('the beginning of the id of one'), isOptional: true } },
  json: '{"reports":[{id, from, to, tag, published_at, published_by, sha256, surfaces, recount}]}',
  examples: [
    'overheard report published --workspace acme',
    'overheard report published 019ab8f2 --workspace acme',
  ],
  run: async (context, { id: typed }) => {
    const { store, workspaceId } = context;
    const id = typed === undefined ? undefined : await findReport(context, typed);
    const found =
      id === undefined
        ? await listPublishedReports(store.reader, workspaceId)
        : [await findPublishedReport(store.reader, workspaceId, id)];
    const stored = found
      .filter((each) => each !== undefined)
      .map(({ body, ...each }) => ({ ...each, figures: parsePublished(body) }));
    const count = await countPublishedReports(store.reader, workspaceId);
    const recounts = await inSnapshot(context, (source) =>
      Promise.all(
        id === undefined ? [] : stored.map(({ figures }) => readRecount(source, figures)),
      ),
    );
    const reports = stored.map(({ figures, ...each }, place) => ({
      id: each.id,
      from: figures.from,
      to: figures.to,
      tag: figures.tag,
      published_at: each.published_at,
      published_by: figures.page.publishedBy ?? null,
      sha256: each.sha256,
      surfaces: figures.surfaces,
      recount: recounts[place] ?? null,
    }));
    return {
      json: { reports },
      table: tableOf(reports, 'No report is published in this workspace.', {
        ID: (row) => row.id,
        PERIOD: (row) => `${row.from} to ${row.to}`,
        TAG: (row) => row.tag,
        'CITED IN': ({ surfaces }) =>
          surfaces
            .map(
              ({ rate, runs }) =>
                `${rate === null ? 'no rate' : percent(rate)} of ${amount(runs, 'answer')}`,
            )
            .join(', '),
        PUBLISHED: (row) => row.published_at,
        BY: (row) => row.published_by,
        SHA256: (row) => row.sha256.slice(0, 12),
      }),
      words:
        id === undefined && count > reports.length
          ? [`The last ${reports.length} of ${count}. Give the id of an older one to see it.`]
          : recounts.flatMap(({ sentences }) => sentences),
    };
  },
});

export const unpublishCommand = defineWorkspaceCommand({
  name: 'unpublish',
  summary: 'remove a published report',
  description:
    'Removes a published report for good, which the history of the workspace says. Its report links end.',
  arguments: { id: word('its id, or the beginning') },
  json: '{id}',
  examples: ['overheard report unpublish 019ab8f2 --workspace acme'],
  run: async (context, { id: typed }) => {
    const { io, store, workspaceId } = context;
    const id = await findReport(context, typed);
    const author = { userId: null, clock: io.clock };
    await unpublishReport(store, workspaceId, { id, author });
    return { json: { id }, words: `Removed the published report ${id}.` };
  },
});

export const monthlyCommand = defineWorkspaceCommand({
  name: 'monthly',
  summary: 'publish each month when it ends, or stop',
  description:
    'While it is on, `overheard serve` publishes the report of each month on the first day of the next one, UTC, or as soon as it runs again.',
  arguments: { state: { summary: 'on or off', choices: ['on', 'off'] } },
  json: '{monthly}',
  examples: ['overheard report monthly on --workspace acme'],
  run: async ({ io, store, workspaceId }, { state }) => {
    const isOn = state === 'on';
    await setMonthly(store, workspaceId, { isOn, nowMs: io.clock() });
    const kind = isOn ? 'months_published' : 'months_not_published';
    await noteEvent(store.access, { userId: null, clock: io.clock }, { workspaceId, kind });
    return {
      json: { monthly: isOn },
      words: isOn
        ? 'The report of each month is published when it is over.'
        : 'Months are not published any more.',
    };
  },
});

/** Throws a `Refusal` if the workspace has no such report. */
async function findReport(
  { store, workspaceId }: WorkspaceContext,
  typed: string,
): Promise<string> {
  const named = { table: 'published_reports', workspaceId, word: typed } as const;
  const id = await findId(store.reader, named);
  if (id === undefined) throw new Refusal('report_not_found', { id: typed });
  return id;
}
