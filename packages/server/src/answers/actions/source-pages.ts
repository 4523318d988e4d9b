import type { Proportion } from '../../values/statistics/distributions.ts';
import { plural } from '../../values/plural.ts';
import { stakeOf } from './impact.ts';
import { isMost } from './prompt-rules.ts';
import { quotedPrompt, rivalWords, shorten, topWords } from './gap-words.ts';
import type { TalliedPrompt } from './drops.ts';
import { canGetOnto, stepsForSource } from './fix-steps.ts';
import type { FoundGap, Window } from './gap-kinds.ts';
import { mergeTallies, poolEngines } from './tally.ts';
import type { PageTally } from './tally.ts';

/**
 * A page needs at least this many lost prompts. For a single prompt, its own action names the page.
 */
const promptsMin = 2;
const gapRunsMin = 3;
const promptsShown = 5;
const enginesShown = 8;

/** A prompt whose answers cite this page and a competitor but not the brand, by engine. */
interface LostPrompt {
  readonly prompt: TalliedPrompt;
  readonly engines: ReadonlyMap<string, PageTally>;
  readonly page: PageTally;
}

/**
 * Finds third-party pages that several prompts are lost to. At least half of each prompt's gap runs
 * cite the page, and most runs that cite it are gap runs, beyond chance and at least as often as
 * runs without it. One action per page names all its prompts. Pages of shops, public bodies and
 * documentation are left out, because a brand cannot get itself onto them.
 */
export function findSourcePages(prompts: readonly TalliedPrompt[], window: Window): FoundGap[] {
  return [...lostByPage(prompts)].flatMap(([page, lostPrompts]) => {
    const share = {
      part: sum(lostPrompts, ({ gap }) => gap),
      whole: sum(lostPrompts, ({ runs }) => runs),
    };
    const all = mergeTallies(lostPrompts.map(({ prompt }) => poolEngines(prompt.current)));
    // Multiply instead of dividing, because a page may be cited in every run.
    const isNoLess = share.part * (all.runs - share.whole) >= (all.gap - share.part) * share.whole;
    if (lostPrompts.length < promptsMin || !isMost(share) || !isNoLess) return [];
    return canGetOnto(window.kindOf(page)) ? [toAction(page, lostPrompts, share, window)] : [];
  });
}

function toAction(
  page: string,
  lostPrompts: readonly LostPrompt[],
  share: Proportion,
  window: Window,
): FoundGap {
  const { brand, names } = window;
  const engines = engineCounts(lostPrompts);
  const tallies = lostPrompts.map(({ prompt }) => poolEngines(prompt.current));
  const rivals = rivalWords(mergeTallies(tallies), names);
  const promptCounts = lostPrompts.map(
    ({ prompt, page: { gap } }) => [quotedPrompt(prompt.text), gap] as const,
  );
  const facts = [
    `Get onto ${shorten(page, 200)}: of ${plural(share.whole, 'answer')} of ${plural(lostPrompts.length, 'prompt')} that cite it, ${share.part} cite a competitor and not ${brand}`,
    `for these prompts cited instead: ${rivals}`,
    `engines: ${topWords(engines, enginesShown)}`,
    `prompts: ${topWords(promptCounts, promptsShown)}`,
  ];
  return {
    about: [page],
    kind: 'source page',
    recommendation: `${facts.join('; ')}.`,
    steps: stepsForSource(page, { share, rivals }, window),
    stake: stakeOf(share),
    filter: {
      promptIds: lostPrompts.map(({ prompt }) => prompt.id),
      engines: [...engines.keys()].toSorted(),
      page,
    },
  };
}

/** The prompts that each page loses, in their order. */
function lostByPage(prompts: readonly TalliedPrompt[]): Map<string, LostPrompt[]> {
  const pages = new Map<string, LostPrompt[]>();
  for (const prompt of prompts) {
    const { gap, pages: promptPages } = poolEngines(prompt.current);
    for (const [name, page] of promptPages) {
      if (page.gap < gapRunsMin || 2 * page.gap < gap) continue;
      const engines = [...prompt.current].flatMap(([engine, tally]) => {
        const counts = tally.pages.get(name);
        return counts === undefined ? [] : [[engine, counts] as const];
      });
      pages.set(name, [...(pages.get(name) ?? []), { prompt, engines: new Map(engines), page }]);
    }
  }
  return pages;
}

/** Gap runs that cite the page, by engine. */
function engineCounts(lostPrompts: readonly LostPrompt[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [engine, { gap }] of lostPrompts.flatMap(({ engines }) => [...engines])) {
    counts.set(engine, (counts.get(engine) ?? 0) + gap);
  }
  return counts;
}

function sum(lostPrompts: readonly LostPrompt[], countOf: (page: PageTally) => number): number {
  return lostPrompts.reduce((total, { page }) => total + countOf(page), 0);
}
