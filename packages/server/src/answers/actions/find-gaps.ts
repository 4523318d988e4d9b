import type { Kysely } from 'kysely';
import { readPromptsOutsideMarket } from '../../storage/prompt-tags.ts';
import type { DataTables } from '../../storage/schema.ts';
import { readSourceKinds } from '../../storage/queries/read-source-kinds.ts';
import { siteOf } from '../../values/sites/site.ts';
import { kindOfPage } from '../../values/sites/source-kind.ts';
import type { SourceKind } from '../../values/sites/source-kind.ts';
import { hostOf } from '../../values/sites/web-host.ts';
import { plural } from '../../values/plural.ts';
import { shareOfVoice } from '../../values/statistics/share-of-voice.ts';
import { contentId } from '../../values/uuid.ts';
import { readSubjectNames, readSubjects } from '../subjects.ts';
import { findDrops, findEngineDrops, runsMin } from './drops.ts';
import type { EngineDrop, TalliedPrompt } from './drops.ts';
import { countPrompts, createPageReader, readRunEvidence } from './evidence.ts';
import { stepsForAnswers } from './fix-steps.ts';
import type { FoundGap, Gap, Window } from './gap-kinds.ts';
import { evidenceWords, partOfWhole, recommend } from './gap-words.ts';
import { impactOf, impactScore } from './impact.ts';
import { spanOf } from '../../storage/queries/action-parts.ts';
import type { Days, Parts } from '../../storage/queries/action-parts.ts';
import { findPromptGaps } from './prompt-rules.ts';
import { findBlocked, findChainGaps } from './site-rules.ts';
import { findSourcePages } from './source-pages.ts';
import { mergeTallies, poolEngines, tallyEngines, tallyOf } from './tally.ts';
import type { EngineTallies, Tally } from './tally.ts';

/** A gap that exists now, as an action. */
export interface FoundAction extends Pick<FoundGap, 'kind' | 'recommendation'> {
  readonly id: string;
  readonly promptId: string | null;
  readonly impact: number;
  /** The prompt's share of voice in the window; null if it concerns no prompt, or several. */
  readonly sov: number | null;
  readonly parts: Parts;
}

/** A prompt with too few counted runs. */
export interface ScarcePrompt {
  readonly text: string;
  readonly runs: number;
  /** Counted runs that are still needed. */
  readonly missing: number;
}

/** Applies every rule to the runs and hits of a window. */
export async function findGaps(
  db: Kysely<DataTables>,
  workspaceId: string,
  { current, before }: { current: Days; before: Days },
) {
  const subjects = await readSubjects(db, workspaceId);
  const counted = await countPrompts(db, workspaceId, spanOf(current));
  const outside = await readPromptsOutsideMarket(db, workspaceId);
  const enough = counted.filter(({ id, runs }) => runs >= runsMin && !outside.has(id));
  const reader = createPageReader(subjects);
  const prompts: TalliedPrompt[] = [];
  for (const { id, text } of enough) {
    const now = { promptId: id, span: spanOf(current), reader };
    const then = { promptId: id, span: spanOf(before) };
    prompts.push({
      id,
      text,
      current: tallyEngines(await readRunEvidence(db, workspaceId, now)),
      before: tallyEngines(await readRunEvidence(db, workspaceId, then)),
    });
  }
  const runs = enough.reduce((sum, prompt) => sum + prompt.runs, 0);
  const window: Window = {
    current,
    before,
    brand: subjects.find(({ type }) => type === 'brand')?.name ?? 'the brand',
    names: await readSubjectNames(db, workspaceId),
    kindOf: kindsOf(await readSourceKinds(db, workspaceId)),
    runsUsual: runs / Math.max(1, enough.length),
  };
  const drops = findDrops(prompts);
  const gaps = [
    ...prompts.flatMap((prompt) =>
      findPromptGaps(prompt, drops).map((gap) => gapOfPrompt(prompt, gap, window)),
    ),
    ...findEngineDrops(prompts).map((drop) => gapOfEngine(drop, window)),
    ...findSourcePages(prompts, window),
    ...(await findBlocked(db, workspaceId, current)),
    ...(await findChainGaps(db, workspaceId, { days: current, subjects })),
  ];
  return {
    found: gaps.map((gap) => toAction(gap, window)),
    scarce: counted
      .filter((prompt) => prompt.runs < runsMin)
      .map(({ text, runs: has }): ScarcePrompt => ({ text, runs: has, missing: runsMin - has })),
    /** Prompts with enough runs. The actions of those that are not the brand's market are over. */
    lookedAt: new Set([...enough.map(({ id }) => id), ...outside]),
    /** The number of prompts with counted runs. */
    prompts: counted.length,
  };
}

function kindsOf(kinds: ReadonlyMap<string, SourceKind>): (page: string) => SourceKind {
  return (page) => {
    const url = `https://${page}`;
    const site = siteOf(hostOf(url) ?? '');
    return kinds.get(site) ?? kindOfPage({ url, site, title: null });
  };
}

/** Share of voice over some runs. */
export function sovOf({ cited, competitorCitations }: Tally): number {
  return shareOfVoice({ brand: cited, competitors: competitorCitations });
}

function toAction(
  { kind, about, recommendation, stake, range = 'answers', filter, steps, prompt }: FoundGap,
  { current: days, runsUsual }: Window,
): FoundAction {
  const impact = impactOf(stake, { range, runsUsual });
  return {
    id: contentId('action', [kind, ...about]),
    kind,
    promptId: prompt?.id ?? null,
    recommendation,
    impact: impactScore(impact),
    sov: prompt?.sov ?? null,
    parts: { ...impact, days, stake, filter, steps },
  };
}

function gapOfPrompt(prompt: TalliedPrompt, gap: Gap, window: Window): FoundGap {
  const { kind, counted: engines, stake } = gap;
  const { id, current } = prompt;
  const isEvery = engines.length === current.size;
  const ofEngines = (tallies: EngineTallies) =>
    isEvery
      ? poolEngines(tallies)
      : mergeTallies(engines.map((engine) => tallyOf(tallies, engine)));
  const facts = {
    now: ofEngines(current),
    before: ofEngines(prompt.before),
    where: isEvery ? '' : ` on ${engines.join(' and ')}`,
    never: [...current].flatMap(([engine, { cited }]) => (cited === 0 ? [engine] : [])),
  };
  const looksBack = kind === 'lost' || kind === 'declining';
  return {
    kind,
    about: [id],
    recommendation: recommend(gap, prompt, window),
    steps: stepsForAnswers(kind, facts, window),
    stake,
    filter: { promptIds: [id], engines, ...(looksBack && { before: window.before }) },
    prompt: { id, sov: sovOf(poolEngines(current)) },
  };
}

function gapOfEngine({ kind, engine, prompts, stake }: EngineDrop, window: Window): FoundGap {
  const { before, brand, names } = window;
  const isGap = kind === 'engine gap';
  const tally = mergeTallies(prompts.map(({ current }) => tallyOf(current, engine)));
  const other = mergeTallies(
    prompts.map((prompt) =>
      isGap ? poolEngines(prompt.current, engine) : tallyOf(prompt.before, engine),
    ),
  );
  const head = isGap ? 'Catch up on' : 'Stop the decline on';
  const rate = `${tally.cited} of ${plural(tally.runs, 'answer')} (${Math.round((100 * tally.cited) / tally.runs)} %)`;
  return {
    kind,
    about: [null, engine],
    recommendation: `${head} ${engine}: over ${plural(prompts.length, 'prompt')} it cites ${brand} in ${rate}, ${isGap ? 'the other engines' : 'in the time before'} in ${partOfWhole(other.cited, other.runs)}${evidenceWords(tally, names)}.`,
    steps: stepsForAnswers(
      kind,
      {
        now: tally,
        before: other,
        where: ` on ${engine}`,
        never: tally.cited === 0 ? [engine] : [],
      },
      window,
    ),
    stake,
    filter: {
      promptIds: prompts.map(({ id }) => id),
      engines: [engine],
      ...(!isGap && { before }),
    },
  };
}
