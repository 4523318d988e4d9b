import { studentQuantile } from '../../../values/statistics/distributions.ts';
import { compareRatios, controlFalseDiscoveries } from '../../../values/statistics/estimate.ts';
import type { Comparison, PairedPrompt } from '../../../values/statistics/estimate.ts';
import { plural } from '../../../values/plural.ts';
import { contentId } from '../../../values/uuid.ts';
import type { FoundAction } from '../rules/found-action.ts';
import { impactScore, runsImpact } from '../rules/impact.ts';
import { rateOf, sameCohorts } from '../rules/find-declines.ts';
import type { TalliedPrompt } from '../rules/find-declines.ts';
import { evidenceWords, partOfWhole } from '../rules/recommendation.ts';
import { mergeTallies } from '../rules/tally.ts';
import type { Window } from '../rules/window.ts';

type EngineKind = 'engine gap' | 'declining';

/** One engine over all prompts that can be compared. */
interface EngineDrop {
  readonly kind: EngineKind;
  readonly engine: string;
  readonly prompts: readonly TalliedPrompt[];
  readonly pairs: readonly PairedPrompt[];
}

/**
 * Finds engines that cite the brand less often, beyond chance, than the other engines do for the
 * same prompts, or than they did in the window before. The test treats each prompt as a cluster.
 * One action per engine, for differences that no single prompt has enough runs to show.
 */
export function findEngineActions(
  prompts: readonly TalliedPrompt[],
  window: Window,
): FoundAction[] {
  const engines = new Set(prompts.flatMap(({ current }) => [...current.keys()]));
  const names = [...engines].toSorted((left, right) => (left < right ? -1 : 1));
  return [
    ...beyondChance(names.map((engine) => gapOf(prompts, engine))),
    ...beyondChance(names.map((engine) => declineOf(prompts, engine))),
  ].map(({ drop, comparison }) => toAction(drop, comparison, window));
}

function gapOf(prompts: readonly TalliedPrompt[], engine: string): EngineDrop {
  const pairs = prompts.map(({ current }) => ({
    before: rateOf(mergeTallies(otherTallies(current, engine))),
    after: rateOf(tallyOf(current, engine)),
  }));
  return keepPairedPrompts({ kind: 'engine gap', engine, prompts, pairs });
}

function declineOf(prompts: readonly TalliedPrompt[], engine: string): EngineDrop {
  const pairs = prompts.map(({ current, before }) =>
    sameCohorts(tallyOf(before, engine), tallyOf(current, engine)),
  );
  return keepPairedPrompts({ kind: 'declining', engine, prompts, pairs });
}

/** Only prompts with runs on both sides. */
function keepPairedPrompts({ prompts, pairs, ...drop }: EngineDrop): EngineDrop {
  const isPaired = (pair: PairedPrompt | undefined): pair is PairedPrompt =>
    pair !== undefined && pair.before.whole > 0 && pair.after.whole > 0;
  return {
    ...drop,
    prompts: prompts.filter((_, index) => isPaired(pairs[index])),
    pairs: pairs.filter(isPaired),
  };
}

function beyondChance(
  drops: readonly EngineDrop[],
): Array<{ readonly drop: EngineDrop; readonly comparison: Comparison }> {
  const alone = drops.map(({ pairs }) => compareRatios(pairs));
  const together = controlFalseDiscoveries(alone);
  return drops.flatMap((drop, index) => {
    const comparison = alone[index];
    const isDown = comparison?.verdict === 'down' && together[index]?.verdict === 'down';
    return isDown ? [{ drop, comparison }] : [];
  });
}

function toAction(
  { kind, engine, prompts, pairs }: EngineDrop,
  comparison: Comparison,
  { current: days, before, brand, names, runsUsual }: Window,
): FoundAction {
  const engineTally = mergeTallies(prompts.map(({ current }) => tallyOf(current, engine)));
  const other = kind === 'engine gap' ? 'the other engines' : 'in the time before';
  const otherTally = mergeTallies(
    prompts.flatMap((prompt) =>
      kind === 'engine gap'
        ? otherTallies(prompt.current, engine)
        : [tallyOf(prompt.before, engine)],
    ),
  );
  const drop = -(comparison.change ?? 0);
  const low = Math.max(0, drop - marginOf(comparison, pairs.length)) * engineTally.runs;
  const share = { part: Math.round(drop * engineTally.runs), whole: engineTally.runs };
  const stake = { share, low, worth: 1 };
  const impact = runsImpact(stake, runsUsual);
  const head = kind === 'engine gap' ? 'Catch up on' : 'Stop the decline on';
  const rate = `${engineTally.cited} of ${plural(engineTally.runs, 'run')} (${Math.round((100 * engineTally.cited) / engineTally.runs)} %)`;
  return {
    id: contentId('action', [kind, null, engine]),
    kind,
    promptId: null,
    recommendation: `${head} ${engine}: over ${plural(prompts.length, 'prompt')} it cites ${brand} in ${rate}, ${other} in ${partOfWhole(otherTally.cited, otherTally.runs)}${evidenceWords(engineTally, names)}.`,
    impact: impactScore(impact),
    sov: null,
    parts: {
      ...impact,
      days,
      stake,
      filter: {
        promptIds: prompts.map(({ id }) => id),
        engines: [engine],
        ...(kind === 'declining' ? { before } : {}),
      },
    },
  };
}

/** Half of the 95 % interval of a change. */
function marginOf({ detectable = 0 }: Comparison, prompts: number): number {
  const quantile = studentQuantile(prompts - 1);
  // The smallest detectable change is (quantile + 0.84) standard errors.
  return (detectable * quantile) / (quantile + 0.84);
}

type Engines = TalliedPrompt['current'];

function tallyOf(engines: Engines, engine: string) {
  return engines.get(engine) ?? mergeTallies([]);
}

function otherTallies(engines: Engines, engine: string) {
  return [...engines].filter(([name]) => name !== engine).map(([, tally]) => tally);
}
