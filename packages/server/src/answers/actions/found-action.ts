import type { Factors } from './impact.ts';
import type { PromptKind, Share } from './kinds.ts';
import type { Days } from './window.ts';

/** What an action may be about. */
export type ActionKind = PromptKind | 'blocked';

/** What an action's impact is made of: kept with it as JSON. */
export interface Parts extends Factors {
  /** The window that it was found in. */
  readonly days: Days;
  /** What the absence counts. */
  readonly measure: string;
}

/** A gap that holds now. */
export interface FoundAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly promptId: string | null;
  readonly recommendation: string;
  readonly impact: number;
  /** The prompt's share of voice in the window; null where it concerns no prompt. */
  readonly sov: number | null;
  readonly parts: Parts;
}

/** What the absence of each kind counts, for `actions explain`. */
export const measures: Readonly<Record<ActionKind, string>> = {
  lost: 'cited before, not at all now: 1',
  absent: 'not cited at all: 1',
  'rarely cited': 'runs without the brand / counted runs',
  outranked: 'runs with a competitor before the brand / runs that cite the brand',
  'not linked': 'runs that name the brand / counted runs',
  blocked: 'requests refused / requests to the path',
};

/** One half, one whole. */
export const half: Share = { part: 1, whole: 2 };
export const all: Share = { part: 1, whole: 1 };
