import type { Impact } from './impact.ts';
import type { PromptKind, Stake } from './kinds.ts';
import type { Days } from './window.ts';

/** What an action may be about. */
export type ActionKind = PromptKind | 'source page' | 'blocked' | 'not read' | 'not cited';

/** The facts by which to find the runs or requests behind an action. */
export interface EvidenceFilter {
  readonly promptIds?: readonly string[];
  readonly engines?: readonly string[];
  /** Only runs that cite this page. */
  readonly page?: string;
  /** Requests of a bot to a path of a site. */
  readonly request?: { readonly bot: string; readonly host: string | null; readonly path: string };
  /** Own pages, such as `acme.com/docs`: the runs that cite them, and the requests to them. */
  readonly ownPages?: readonly string[];
  /** The window before, if its runs count too. */
  readonly before?: Days;
}

/** The inputs of an action's impact, stored with the action as JSON. */
export interface Parts extends Impact {
  /** The window in which it was found. */
  readonly days: Days;
  readonly stake: Stake;
  readonly filter: EvidenceFilter;
}

/** A gap that exists now. */
export interface FoundAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly promptId: string | null;
  readonly recommendation: string;
  readonly impact: number;
  /** The prompt's share of voice in the window; null if it concerns no prompt, or several. */
  readonly sov: number | null;
  readonly parts: Parts;
}

/** What the share at stake counts, for `actions explain`. */
export const measures: Readonly<Record<ActionKind, string>> = {
  lost: 'runs without the brand / counted runs',
  absent: 'runs that cite a competitor and not the brand / counted runs',
  'rarely cited': 'runs that cite a competitor and not the brand / counted runs',
  'engine gap': 'runs that are missing to the rate of the other engines / runs of these engines',
  declining: 'runs that are missing to the rate of the window before / runs of these engines',
  'not named': 'runs that link the brand without naming it / runs that link it',
  outranked: 'runs with one competitor before the brand / runs that cite both',
  'not linked': 'runs that name the brand / counted runs, none of which links it',
  'source page':
    'runs that cite the page and a competitor, not the brand / runs that cite the page',
  'not read': 'runs that cite the page / runs that cite a page of the brand',
  'not cited': 'reads of these pages / reads of the site, by bots that read for answers',
  blocked: 'requests refused / requests to the page',
};
