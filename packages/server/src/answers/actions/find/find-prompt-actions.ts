import type { Kysely } from 'kysely';
import type { DataTables } from '../../../storage/schema.ts';
import { contentId } from '../../../values/uuid.ts';
import { shareOfVoice } from '../../../values/statistics/share-of-voice.ts';
import { readSubjectNames } from '../../subjects.ts';
import type { TrackedSubject } from '../../subjects.ts';
import { countPrompts, readRunEvidence } from '../rules/evidence.ts';
import { findEngineActions } from './find-engine-actions.ts';
import { findSourcePages } from './find-source-pages.ts';
import type { FoundAction } from '../rules/found-action.ts';
import { impactScore, runsImpact } from '../rules/impact.ts';
import { findAbsence, findStanding, runsMin } from '../rules/kinds.ts';
import type { Gap } from '../rules/kinds.ts';
import { findDeclines, findEngineGaps } from '../rules/find-declines.ts';
import type { TalliedPrompt } from '../rules/find-declines.ts';
import { recommend } from '../rules/recommendation.ts';
import { createPageReader } from '../rules/page-reader.ts';
import { mergeTallies, tallyEngines } from '../rules/tally.ts';
import type { Tally } from '../rules/tally.ts';
import { spanOf } from '../rules/window.ts';
import type { Days, Window } from '../rules/window.ts';

/** A prompt with too few counted runs. */
export interface ScarcePrompt {
  readonly text: string;
  readonly runs: number;
  /** Counted runs that are still needed. */
  readonly missing: number;
}

/**
 * The gaps of all prompts. `lookedAt` has the ids of prompts with enough counted runs; `prompts`
 * counts all prompts.
 */
interface PromptActions {
  readonly found: readonly FoundAction[];
  readonly scarce: readonly ScarcePrompt[];
  readonly lookedAt: ReadonlySet<string>;
  readonly prompts: number;
  /** The mean number of counted runs of the prompts that have enough of them. */
  readonly runsUsual: number;
}

/** Finds the gaps of the prompts with enough counted runs in the window. */
export async function findPromptActions(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    current,
    before,
    subjects,
  }: { current: Days; before: Days; subjects: readonly TrackedSubject[] },
): Promise<PromptActions> {
  const counted = await countPrompts(db, workspaceId, spanOf(current));
  const enough = counted.filter(({ runs }) => runs >= runsMin);
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
    runsUsual: runs / Math.max(1, enough.length),
  };
  return {
    found: [
      ...gapActions(prompts, window),
      ...findEngineActions(prompts, window),
      ...findSourcePages(prompts, window),
    ],
    scarce: counted
      .filter((prompt) => prompt.runs < runsMin)
      .map((prompt) => ({
        text: prompt.text,
        runs: prompt.runs,
        missing: runsMin - prompt.runs,
      })),
    lookedAt: new Set(enough.map(({ id }) => id)),
    prompts: counted.length,
    runsUsual: window.runsUsual,
  };
}

/** Share of voice over some runs. */
export function sovOf({ cited, competitorCitations }: Tally): number {
  return shareOfVoice({ brand: cited, competitors: competitorCitations });
}

function gapActions(prompts: readonly TalliedPrompt[], window: Window): FoundAction[] {
  const declines = findDeclines(prompts);
  const engineGaps = findEngineGaps(prompts);
  return prompts.flatMap((prompt) => {
    const absence = findAbsence(prompt.current, mergeTallies([...prompt.before.values()]));
    const isGone = absence?.kind === 'lost' || absence?.kind === 'absent';
    const gaps = [
      absence ?? engineGaps.get(prompt.id),
      isGone ? undefined : declines.get(prompt.id),
      absence === undefined ? findStanding(prompt.current) : undefined,
    ];
    return gaps.flatMap((gap) => (gap === undefined ? [] : toAction(prompt, gap, window)));
  });
}

function toAction(
  { id: promptId, text, current, before }: TalliedPrompt,
  gap: Gap,
  { current: days, before: daysBefore, brand, names, runsUsual }: Window,
): FoundAction {
  const { kind, counted: engines, stake } = gap;
  const impact = runsImpact(stake, runsUsual);
  const looksBack = kind === 'lost' || kind === 'declining';
  return {
    id: contentId('action', [kind, promptId]),
    kind,
    promptId,
    recommendation: recommend({ gap, prompt: text, brand, names, current, before }),
    impact: impactScore(impact),
    sov: sovOf(mergeTallies([...current.values()])),
    parts: {
      ...impact,
      days,
      stake,
      filter: { promptIds: [promptId], engines, ...(looksBack ? { before: daysBefore } : {}) },
    },
  };
}
