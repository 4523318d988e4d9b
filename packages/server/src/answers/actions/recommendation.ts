import type { RunEvidence } from './evidence.ts';
import { citedRuns, isOutranked } from './kinds.ts';
import type { PromptKind } from './kinds.ts';

/** What a recommendation is made of. */
export interface RecommendationInput {
  readonly kind: PromptKind;
  readonly prompt: string;
  readonly brand: string;
  /** Names of subjects by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly current: readonly RunEvidence[];
  readonly before: readonly RunEvidence[];
}

const promptLengthMax = 100;
const rivalsMax = 2;
const sitesMax = 3;

/**
 * One concrete sentence with its evidence: the engine where the gap is widest, how many of how many
 * runs, who is cited there instead, and which sites that engine cites most for the prompt.
 */
export function recommend(input: RecommendationInput): string {
  const { engine, runs } = widestEngine(input);
  const head = heads[input.kind];
  const body = bodies[input.kind]({ ...input, engine, runs });
  return `${head} "${shorten(input.prompt)}": ${body}${rivals(runs, input.names)}${sites(runs)}.`;
}

const heads: Readonly<Record<PromptKind, string>> = {
  lost: 'Win back',
  absent: 'Get cited for',
  'rarely cited': 'Get cited more often for',
  outranked: 'Move up for',
  'not linked': 'Get linked for',
};

type Body = (
  input: RecommendationInput & { readonly engine: string; readonly runs: readonly RunEvidence[] },
) => string;

const bodies: Readonly<Record<PromptKind, Body>> = {
  lost: ({ engine, runs, brand, before }) =>
    `${engine} cites ${brand} in 0 of ${runs.length} runs; in the time before, ${citing(before)} of ${before.length} runs on all engines did`,
  absent: ({ engine, runs, brand }) => `${engine} cites ${brand} in 0 of ${runs.length} runs`,
  'rarely cited': ({ engine, runs, brand }) =>
    `${engine} cites ${brand} in ${citing(runs)} of ${runs.length} runs`,
  outranked: ({ engine, runs, brand }) =>
    `${engine} puts a competitor before ${brand} in ${runs.filter(isOutranked).length} of the ${citing(runs)} runs that cite it`,
  'not linked': ({ engine, runs, brand }) =>
    `${engine} names ${brand} in ${runs.filter((run) => run.brand?.isNamed === true).length} of ${runs.length} runs and links to it in none`,
};

function citing(runs: readonly RunEvidence[]): number {
  return runs.filter(({ brand }) => brand !== undefined).length;
}

/** The engine where it is worst: by the kind's own measure, then the most runs, then by name. */
function widestEngine({ kind, current }: RecommendationInput): {
  engine: string;
  runs: readonly RunEvidence[];
} {
  const [widest] = [...Map.groupBy(current, ({ engine }) => engine)]
    .map(([engine, runs]) => ({ engine, runs, gap: gapOf(kind, runs) }))
    .toSorted(
      (left, right) =>
        right.gap - left.gap ||
        right.runs.length - left.runs.length ||
        (left.engine < right.engine ? -1 : 1),
    );
  return widest ?? { engine: '', runs: [] };
}

/** In runs, so that an engine with many weighs more than one with a single bad one. */
function gapOf(kind: PromptKind, runs: readonly RunEvidence[]): number {
  if (kind === 'outranked') return runs.filter(isOutranked).length;
  if (kind === 'not linked') return runs.filter(({ brand }) => brand?.isNamed === true).length;
  return runs.filter(({ brand, competitors }) => brand === undefined && competitors.length > 0)
    .length;
}

function rivals(runs: readonly RunEvidence[], names: ReadonlyMap<string, string>): string {
  const counts = new Map(
    [...citedRuns(runs)].map(([id, count]) => [names.get(id) ?? id, count] as const),
  );
  const top = most(counts, rivalsMax);
  return top.length === 0 ? '' : `; it cites ${top.join(', ')}`;
}

function sites(runs: readonly RunEvidence[]): string {
  const counts = new Map<string, number>();
  for (const site of runs.flatMap((run) => run.sites)) {
    counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  const top = most(counts, sitesMax);
  return top.length === 0 ? '' : `; its sources are most often ${top.join(', ')}`;
}

/** The most frequent, with how many runs each: `Globex (10)`. */
function most(counts: ReadonlyMap<string, number>, max: number): string[] {
  return [...counts]
    .toSorted(([left, often], [right, more]) => more - often || (left < right ? -1 : 1))
    .slice(0, max)
    .map(([word, count]) => `${word} (${count})`);
}

function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= promptLengthMax
    ? line
    : `${characters.slice(0, promptLengthMax - 1).join('')}\u2026`;
}
