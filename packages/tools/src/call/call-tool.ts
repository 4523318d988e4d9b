import { setImmediate } from 'node:timers/promises';
import { argumentsOf, readArguments } from './arguments.ts';
import type { Call } from './arguments.ts';
import type { ClientResponse, Client } from '../read/client.ts';
import { makeCursor, markOfData, openCursor } from './cursor.ts';
import type { Position } from './cursor.ts';
import { emptyNote } from './empty.ts';
import { knownValueNotes } from './known-values.ts';
import { Failure, failureText } from '../failure.ts';
import { passes } from '../tools/filters.ts';
import { neutralText } from '../text/neutral-text.ts';
import { budgets, cutPage, rowsMax } from './page.ts';
import type { Page } from './page.ts';
import { promptTexts } from '../tools/lookup.ts';
import { readNames, resolveSubjects, rowShaper } from './names.ts';
import { reachNotes } from './reach.ts';
import { readSurface, surfaceNotes } from './read-rows.ts';
import { compactJson, toolResult } from './result.ts';
import type { Envelope, ToolResult } from './result.ts';
import { shortName } from '../text/names.ts';
import { jsonBytes, shortText } from '../text/short-text.ts';
import type { ToolRow } from '../tools/tool-row.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * Calls a tool. Every failure is a result that explains itself, and `onBug` gets the error of each bug.
 * Throws only the signal's reason.
 */
export async function callTool(
  tool: Tool,
  raw: Readonly<Record<string, unknown>>,
  { client, signal, onBug }: { client: Client; signal: AbortSignal; onBug: (bug: unknown) => void },
): Promise<ToolResult> {
  try {
    return await runCall(tool, readArguments(tool, raw), client, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) onBug(error);
    const failure = error instanceof Failure ? error : new Failure('unexpected');
    return toolResult({ failure: neutralText(failureText(failure)) });
  }
}

async function runCall(
  tool: Tool,
  call: Call,
  client: Client,
  signal: AbortSignal,
): Promise<ToolResult> {
  const opened = openCursor(tool, call);
  const { response, surface } = await readSurface({ tool, call, client, signal }, opened);
  const { rows } = response;
  const isById = tool.beside?.ids !== undefined;
  const subjectNames = await readNames(tool, { call, client, signal, rows: isById ? [] : rows });
  const passing = resolveSubjects(call.filters, subjectNames);
  // Let other calls of the host proceed before adding up tens of thousands of rows.
  await setImmediate();
  const passed = rows.filter((row) =>
    passing.every(({ filter, value }) => passes(filter, value, row)),
  );
  const ordered = tool.order?.(passed, call.query['by']) ?? passed;
  const data = markOfData(response);
  const isOther = opened.data !== undefined && opened.data !== data;
  const doesBeginAgain = isOther && tool.beginsAgain === true;
  const position = doesBeginAgain ? { ...opened, start: 0 } : opened;
  const grouped = await groupRows(tool, ordered, { client, signal, isFirst: position.start === 0 });
  const matched = grouped.rows;
  const shown = matched.slice(position.start, position.start + (call.limit ?? usualRowsMax));
  const names = isById
    ? await readNames(tool, { call, client, signal, rows: shown })
    : subjectNames;
  await setImmediate();
  const notes = [
    ...dataNotes(response, { isOther, doesBeginAgain }),
    ...(matched.length === 0 ? [emptyNote(tool, call, { rows, position })] : []),
    ...(rows.every((row) => tool.isEmpty?.(row) === true)
      ? await knownValueNotes(tool, call, { client, signal })
      : []),
    ...(surface === undefined || rows.length === 0 ? [] : [surfaceNotes[surface]]),
    ...(rows.length === 0 ? [] : reachNotes(tool, call, { matched, all: rows })),
    // Only on the first page.
    ...(position.start === 0 && matched.length > 0
      ? [...tool.summarise(matched, call.argumentNames, names), ...grouped.notes]
      : []),
  ];
  if (call.isAsRuns) notes.push(...(await promptNotes(call, client, signal)));
  return pageResult(tool, call, {
    response,
    matched,
    names,
    notes,
    data,
    position,
  });
}

/** Groups rows by those of another endpoint, unless these cannot be read: of a further page by the same ones. */
async function groupRows(
  { grouping }: Tool,
  rows: readonly ToolRow[],
  { client, signal, isFirst }: { client: Client; signal: AbortSignal; isFirst: boolean },
): Promise<{ rows: readonly ToolRow[]; notes: readonly string[] }> {
  if (grouping === undefined || rows.length === 0) return { rows, notes: [] };
  const { endpoint } = grouping;
  try {
    const cached = isFirst ? undefined : client.readCached(endpoint, {});
    const others = cached ?? (await client.read(endpoint, {}, signal));
    return grouping.group(rows, others.rows);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { rows, notes: ['Topics could not be read now, so the rows are not grouped.'] };
  }
}

/** Cuts the page of the matched rows to its budget of bytes. */
function pageResult(
  tool: Tool,
  call: Call,
  {
    response,
    matched,
    names,
    notes,
    data,
    position: { start, next },
  }: {
    response: ClientResponse;
    matched: readonly ToolRow[];
    names: Awaited<ReturnType<typeof readNames>>;
    notes: readonly string[];
    data: string;
    position: Position;
  },
): ToolResult {
  const runs = call.isAsRuns ? tool.asRuns?.(matched, names) : undefined;
  const shaped =
    tool.shape && matched.flatMap((row) => tool.shape?.(row, call.argumentNames) ?? []);
  const listed = runs ?? shaped ?? matched;
  const isKeyed = (runs ?? shaped) !== undefined;
  const shape = isKeyed ? (row: ToolRow) => row : rowShaper(tool, matched, names);
  const array = runs === undefined ? tool.endpoint.array : 'runs';
  const nextCursor = (nextStart: number | undefined) => {
    if (nextStart !== undefined)
      return { next_cursor: makeCursor(tool, call, { start: nextStart, data, next }) };
    return response.next === undefined
      ? {}
      : {
          next_cursor: makeCursor(tool, call, { start: 0, data: undefined, next: response.next }),
        };
  };
  const envelopeOf = (page: Page): Envelope => ({
    page: {
      returned: page.rows.length,
      matched: listed.length,
      total: response.rows.length,
      ...nextCursor(page.next),
    },
    ...(response.quota === undefined ? {} : { quota: response.quota }),
    notes: [
      ...pageNotes(tool, call, page, { start, matched: listed.length }),
      ...(response.next === undefined ? [] : [tool.pageNote ?? onePageNote]),
      ...(response.next === undefined && next !== undefined ? [lastPageNote] : []),
      ...shortNotes(notes),
    ],
  });
  const isWhole = tool.isWhole?.(call.argumentNames) === true;
  const bytesMax = call.limit === undefined && !isWhole ? budgets.usual : budgets.most;
  const columns =
    isKeyed || listed[0] === undefined ? {} : { columns: Object.keys(shape(listed[0])) };
  const empty = compactJson(array, [], { columns, around: envelopeOf(widestPage) });
  // Two bytes: the line feeds around the rows.
  const budget = bytesMax - Buffer.byteLength(empty) - 2;
  const page = cutPage(listed, {
    start,
    limit: call.limit ?? rowsMax,
    budget,
    shape,
    isKeyed,
  });
  return toolResult({ array, rows: page.rows, isKeyed, around: envelopeOf(page) });
}

/**
 * Notes with the prompt of runs that are shown as lines. Only for a call of one prompt, because the
 * lines do not name it.
 */
async function promptNotes(call: Call, client: Client, signal: AbortSignal): Promise<string[]> {
  const rows =
    call.query['prompt_id'] === undefined ? [] : [{ prompt_id: call.query['prompt_id'] }];
  const texts = await readNames({ beside: promptTexts }, { call, client, signal, rows });
  return rows.flatMap(({ prompt_id: id }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [`Every run is of the prompt ${shortName(text)}.`];
  });
}

function dataNotes(
  { stale }: ClientResponse,
  { isOther, doesBeginAgain }: { isOther: boolean; doesBeginAgain: boolean },
): string[] {
  const wait = stale?.waitSeconds === undefined ? 'later' : `in ${stale.waitSeconds} s`;
  return [
    ...(stale === undefined
      ? []
      : [
          `The quota of this tool is spent (429): these rows are ${stale.seconds} s old. Newer ones ${wait}.`,
        ]),
    ...(isOther
      ? [
          doesBeginAgain
            ? 'The data has changed since the page before, so its rows are given again.'
            : 'The data has changed since the page before: rows may be repeated or missing. Start over without `cursor` for one consistent list.',
        ]
      : []),
  ];
}

/** Rows that fit a page without a `limit`, at most. */
const usualRowsMax = 60;

const onePageNote =
  'The API gives these rows in pages: matched and total count this one, so they are no totals. The others follow with `cursor`.';

const lastPageNote =
  'These rows are the last of several pages of the API: matched and total count this one, so they are no totals.';

/** A page with the longest text around its rows. */
const widestPage: Page = { rows: [{}], next: 999_999_999, cutBy: 'budget', shortened: 999 };

const notesBytesMax = 2500;

/** Shortens the notes to leave room for rows, because notes quote names of any length. */
function shortNotes(notes: readonly string[]): readonly string[] {
  let left = notesBytesMax;
  return notes.map((note) => {
    const short = shortText(note, left);
    left -= jsonBytes(short);
    return short;
  });
}

function pageNotes(
  tool: Tool,
  call: Call,
  { rows, next, cutBy, shortened }: Page,
  { start, matched }: { start: number; matched: number },
): string[] {
  const notes: string[] = [];
  if (rows.length === 0 && matched > 0) {
    notes.push('The cursor points past the last row: start over without it.');
  }
  if (next !== undefined) {
    const narrowing = argumentsOf(tool).filter(
      ({ name, use }) =>
        use !== 'limit' &&
        use !== 'cursor' &&
        use !== 'as' &&
        !call.argumentNames.has(name) &&
        // Other rows would refuse it, or become those of another question.
        (use === 'query' || use.by === undefined || use.by === call.query['by']),
    );
    const less =
      narrowing.length === 0 ? '' : `; for less: ${narrowing.map(({ name }) => name).join(', ')}`;
    const isLong = tool.asRuns !== undefined && !call.isAsRuns;
    const runs = isLong ? '; `as` runs is shorter' : '';
    const longer =
      cutBy === 'budget' && call.limit === undefined ? ' (a `limit` makes pages longer)' : '';
    notes.push(
      `Rows ${start + 1} to ${next} of ${matched}. For more: the same arguments with \`cursor\` = next_cursor${longer}${runs}${less}.`,
    );
  }
  const texts = shortened === 1 ? 'text was' : 'texts were';
  if (shortened > 0) notes.push(`${shortened} long ${texts} shortened.`);
  return notes;
}
