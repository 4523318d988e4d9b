import type { PublishedRow, ShareRow, SubjectRow } from '@overheard/contract';
import { compareCodePoints } from '../../values/code-points.ts';
import { percent } from '../../values/figure-words.ts';
import { amount } from '../../values/plural.ts';
import { toShareQuery } from '../report-queries.ts';
import type { ReportSource } from '../report-source.ts';
import { readPeriodShares } from '../shares/shares.ts';
import type { PublishedFigures } from './compose.ts';
import { addUpPrompts, countRunsByPrompt } from './runs-by-import.ts';
import type { RunsOfImport, RunsOfPrompt } from './runs-by-import.ts';

/** How a recount of a published report differs, and why. */
export type Recount = NonNullable<PublishedRow['recount']>;
type Reason = Recount['reasons'][number];
type OnSurface = Recount['surfaces'][number];

/** Counts the figures of a published report again, and explains each difference. */
export async function readRecount(
  source: ReportSource,
  { from, to, tag, surfaces: published, page, ...then }: PublishedFigures,
): Promise<Recount> {
  const period = { from, to };
  const ofPrompts = { tag: tag ?? undefined };
  const shares = await readPeriodShares(source, {
    ...toShareQuery(ofPrompts, period),
    omitsChanges: true,
  });
  const options = { isBrandOnly: true, isCompared: false, surface: shares.head };
  const { head, beside } = shares.surfaces();
  const surfaces = [
    ...shares.rowsBy('total', options).map((row) => figuresOf(head, row)),
    ...(beside === null ? [] : [figuresOf('api', beside)]),
  ];
  const before = then.counted ?? [];
  const today = await countRunsByPrompt(source, { ...period, ...ofPrompts });
  const now = addUpPrompts(today);
  const imports = await readImports(source, [...before, ...now]);
  const reasons = reasonsOf({ before, prompts: page.prompts }, today, imports);
  const rejudged = countRejudged(before, now);
  const isSame = JSON.stringify(surfaces) === JSON.stringify(published);
  const sentences = [
    isSame
      ? `A recount finds the same for the brand: ${listWords(published)}.`
      : `A recount finds for the brand ${listWords(surfaces)}; published were ${listWords(published)}.`,
    ...figureChanges(page, {
      subjects: shares.rowsBy('total', { isCompared: false, surface: page.surfaces.head }),
      engines: shares.rowsBy('engine', { isBrandOnly: true, isCompared: false }),
    }),
    ...reasons.map(reasonWords),
    ...(rejudged === 0
      ? []
      : [`${amount(rejudged, 'answer')} were judged again${methodWords(before, now)}.`]),
    ...subjectChanges(then.subjects ?? [], shares.subjects),
  ];
  const runsChange = reasons.reduce((sum, { runs }) => sum + runs, 0);
  return { sentences, surfaces, runs_change: runsChange, reasons, rejudged };
}

function figuresOf(surface: OnSurface['surface'], { runs, cited, rate }: ShareRow): OnSurface {
  return { surface, runs, cited, rate };
}

type Figures = Pick<PublishedFigures['page'], 'subjects' | 'engines'>;

/** The figures of subjects, and of the brand on engines, that differ: a sentence for each. */
function figureChanges(published: Figures, now: Figures): string[] {
  const [before, after] = [published, now].map(
    ({ subjects, engines }) =>
      new Map([...subjects, ...engines].map((row) => [`${row.subject_id} ${row.engine}`, row])),
  );
  const changes = [...new Map([...(before ?? []), ...(after ?? [])])].flatMap(([key, row]) => {
    const [was, is] = [before, after].map((rows) => citedWords(rows?.get(key)));
    const where = row.engine === null ? '' : ` on ${row.engine}`;
    return was === is ? [] : [`${row.name}${where} is cited in ${is}; published were ${was}.`];
  });
  if (changes.length > 0) return changes;
  return ['The figures of each competitor, and of the brand on each engine, are the same.'];
}

/** `12 of 20 answers (share of voice 40 %)`. */
function citedWords(row: ShareRow | undefined): string {
  if (row === undefined) return 'no counted answers';
  const { cited, runs, rate, sov } = row;
  if (rate === null) return `an unknown part of ${amount(runs, 'answer')}`;
  const share = sov === null ? '' : ` (share of voice ${percent(sov)})`;
  return `${cited} of ${amount(runs, 'answer')}${share}`;
}

type Imports = ReadonlyMap<number, { readonly file: string; readonly isReverted: boolean }>;

async function readImports(
  { db, workspaceId }: ReportSource,
  rows: readonly RunsOfImport[],
): Promise<Imports> {
  const ids = [...new Set(rows.flatMap(({ import_id: id }) => id ?? []))];
  const imports = await db
    .selectFrom('imports')
    .select(['id', 'file', 'reverted_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [0, ...ids])
    .execute();
  return new Map(
    imports.map(({ id, file, reverted_at: at }) => [id, { file, isReverted: at !== null }]),
  );
}

/** The runs of one engine and import. */
interface Group {
  readonly runs: number;
  /** Its counted runs by the method and the subjects that judged them. */
  readonly judged: ReadonlyMap<string, number>;
}

function groupsOf(rows: readonly RunsOfImport[]): ReadonlyMap<string, Group> {
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row.engine, row.import_id]));
  return new Map(
    [...groups].map(([key, own]) => [
      key,
      {
        runs: own.reduce((total, { runs }) => total + runs, 0),
        judged: new Map(own.map((row) => [`${row.method} ${row.judged_by}`, row.runs])),
      },
    ]),
  );
}

/**
 * The differences in counted runs, one for each reason and import, which add up to the whole one.
 * Today's runs of the prompts that counted when the report was published tell what was added and
 * removed from what is counted or not any more.
 */
function reasonsOf(
  then: { before: readonly RunsOfImport[]; prompts: PublishedFigures['page']['prompts'] },
  today: readonly RunsOfPrompt[],
  imports: Imports,
): Reason[] {
  const { counted = [], uncounted = [] } = then.prompts ?? {};
  const wasCounted = new Map([
    ...counted.map((id) => [id, true] as const),
    ...uncounted.map((id) => [id, false] as const),
  ]);
  const changes = new Map<string, number>();
  const reasons = new Map<string, Reason>();
  const keyOf = (row: RunsOfImport) => JSON.stringify([row.engine, row.import_id]);
  const add = (row: RunsOfImport, runs: number) =>
    changes.set(keyOf(row), (changes.get(keyOf(row)) ?? 0) + runs);
  const explain = (importId: number | null, reason: Reason['reason'], more: number) => {
    const key = `${importId} ${reason}`;
    const runs = (reasons.get(key)?.runs ?? 0) + more;
    const file = imports.get(importId ?? 0)?.file ?? null;
    if (runs !== 0) reasons.set(key, { reason, import_id: importId, file, runs });
  };
  for (const row of then.before) add(row, -row.runs);
  for (const row of today) {
    const { prompt_id: id, import_id: importId, stored, runs } = row;
    const asThen = (wasCounted.get(id) ?? runs > 0) ? stored : 0;
    add(row, asThen);
    explain(importId, runs > asThen ? 'counted' : 'uncounted', runs - asThen);
  }
  const rows = new Map([...then.before, ...today].map((row) => [keyOf(row), row]));
  for (const [key, { import_id: id }] of rows) {
    const change = changes.get(key) ?? 0;
    const gone = imports.get(id ?? 0)?.isReverted === true ? 'reverted' : 'removed';
    explain(id, change < 0 ? gone : id === null ? 'collected' : 'imported', change);
  }
  return [...reasons.values()].toSorted(
    (one, other) =>
      (one.import_id ?? 0) - (other.import_id ?? 0) || compareCodePoints(one.reason, other.reason),
  );
}

/** The runs that are counted then and now, but were judged by another method or for other subjects. */
function countRejudged(before: readonly RunsOfImport[], now: readonly RunsOfImport[]): number {
  const current = groupsOf(now);
  const counts = [...groupsOf(before)].map(([key, was]) => {
    const is = current.get(key);
    const same = [...was.judged].map(([judge, runs]) => Math.min(runs, is?.judged.get(judge) ?? 0));
    return Math.min(was.runs, is?.runs ?? 0) - same.reduce((sum, runs) => sum + runs, 0);
  });
  return counts.reduce((sum, runs) => sum + runs, 0);
}

/** `, by rules 5 in place of rules 4`, if the methods differ. */
function methodWords(before: readonly RunsOfImport[], now: readonly RunsOfImport[]): string {
  const [was, is] = [before, now].map((rows) =>
    [...new Set(rows.flatMap(({ method, runs }) => (runs === 0 ? [] : (method ?? []))))].toSorted(),
  );
  if (was === undefined || is === undefined || was.join() === is.join()) return '';
  return `, by ${is.join(' and ')} in place of ${was.join(' and ')}`;
}

function reasonWords({ reason, import_id: id, file, runs }: Reason): string {
  const answers = amount(Math.abs(runs), 'answer');
  const ofImport = id === null ? '' : `import ${id}${file === null ? '' : ` (${file})`}`;
  const from = id === null ? '' : ` of ${ofImport}`;
  return {
    imported: `+${answers}: added by ${ofImport}.`,
    collected: `+${answers}: collected since, by asking engines.`,
    reverted: `-${answers}: removed with ${ofImport}, which was reverted.`,
    removed: `-${answers}: removed since${from}.`,
    counted: `+${answers}: counted since${from}, because of what their prompts name or are tagged with now.`,
    uncounted: `-${answers}: not counted any more${from}, because of what their prompts name or are tagged with now.`,
  }[reason];
}

function surfaceWords({ surface, runs, rate }: OnSurface): string {
  const part = rate === null ? 'no rate' : percent(rate);
  return `${part} of ${amount(runs, 'answer')} in ${surface === 'app' ? 'apps' : 'APIs'}`;
}

function listWords(surfaces: readonly OnSurface[]): string {
  return surfaces.length === 0 ? 'no counted answers' : surfaces.map(surfaceWords).join(', ');
}

/** How the tracked names changed, a sentence for each. A name is archived, never deleted. */
function subjectChanges(before: readonly SubjectRow[], now: readonly SubjectRow[]): string[] {
  const was = new Map(before.map((subject) => [subject.id, subject]));
  return now.flatMap((subject) => {
    const old = was.get(subject.id);
    if (old === undefined) return [`${subject.name} has been tracked since.`];
    if ((old.archived_at === null) !== (subject.archived_at === null)) {
      return [`${subject.name} was ${subject.archived_at === null ? 'restored' : 'archived'}.`];
    }
    const words = ({ aliases, domains }: SubjectRow) => JSON.stringify([aliases, domains]);
    const hasChanged = words(old) !== words(subject);
    return [
      ...(old.name === subject.name ? [] : [`${old.name} is called ${subject.name} now.`]),
      ...(hasChanged ? [`${subject.name} is found by other aliases or domains now.`] : []),
    ];
  });
}
