import type { Kysely } from 'kysely';
import { contentId } from '../../values/uuid.ts';
import type { DataTables } from '../../storage/schema.ts';
import { shareOfVoice } from '../scores/share.ts';
import type { TrackedSubject } from '../subjects.ts';
import { countPrompts, readEvidence } from './evidence.ts';
import type { RunEvidence, Span } from './evidence.ts';
import { measures } from './found-action.ts';
import type { FoundAction } from './found-action.ts';
import { impactOf } from './impact.ts';
import { findGap, runsMin } from './kinds.ts';
import { recommend } from './recommendation.ts';
import type { Days } from './window.ts';

/** A prompt of which too little is known. */
export interface ScarcePrompt {
  readonly text: string;
  readonly runs: number;
  /** Counted runs that are still needed. */
  readonly missing: number;
}

/** What prompts show: `lookedAt` are the ids of those with enough counted runs, `prompts` counts all. */
interface PromptActions {
  readonly found: readonly FoundAction[];
  readonly scarce: readonly ScarcePrompt[];
  readonly lookedAt: ReadonlySet<string>;
  readonly prompts: number;
}

/** Finds the gap of every prompt with enough counted runs in the window. */
export async function findPromptActions(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    current,
    before,
    subjects,
  }: { current: Days; before: Days; subjects: readonly TrackedSubject[] },
): Promise<PromptActions> {
  const prompts = await countPrompts(db, workspaceId, spanOf(current));
  const most = prompts.reduce((max, { runs }) => Math.max(max, runs), 0);
  const names = new Map(subjects.map(({ id, name }) => [id, name]));
  const brand = subjects.find(({ type }) => type === 'brand')?.name ?? 'the brand';
  const found: FoundAction[] = [];
  const scarce: ScarcePrompt[] = [];
  const lookedAt = new Set<string>();
  for (const { id: promptId, text, runs } of prompts) {
    if (runs < runsMin) {
      scarce.push({ text, runs, missing: runsMin - runs });
      continue;
    }
    lookedAt.add(promptId);
    const now = await readEvidence(db, workspaceId, { promptId, span: spanOf(current) });
    const then = await readEvidence(db, workspaceId, { promptId, span: spanOf(before) });
    const gap = findGap(now, then);
    if (gap === undefined) continue;
    const { kind, absence } = gap;
    const factors = {
      weight: { part: runs, whole: most },
      absence,
      rivalry: {
        part: now.filter(({ competitors }) => competitors.length > 0).length,
        whole: now.length,
      },
    };
    found.push({
      id: contentId('action', [kind, promptId]),
      kind,
      promptId,
      recommendation: recommend({
        kind,
        prompt: text,
        brand,
        names,
        current: now,
        before: then,
      }),
      impact: impactOf(factors),
      sov: sovOf(now),
      parts: { ...factors, days: current, measure: measures[kind] },
    });
  }
  return { found, scarce, lookedAt, prompts: prompts.length };
}

/** Share of voice over some runs. */
export function sovOf(runs: readonly RunEvidence[]): number {
  return shareOfVoice({
    brand: runs.filter(({ brand }) => brand !== undefined).length,
    competitors: runs.reduce((sum, { competitors }) => sum + competitors.length, 0),
  });
}

function spanOf({ from, to }: Days): Span {
  // `U` is behind `T`, with which every moment of the last day goes on.
  return { from: `${from}T`, before: `${to}U` };
}
