import type { SourceKind } from '../../values/sites/source-kind.ts';
import type { ranges, Stake } from './impact.ts';
import type { Days, EvidenceFilter } from '../../storage/queries/action-parts.ts';

/** What an action of one prompt may be about. */
export type PromptKind = Exclude<GapKind, 'source page' | 'blocked' | 'not read' | 'not cited'>;

/** What an action may be about. */
export type GapKind = keyof typeof gapKinds;

/** The head of the sentence of each kind, and what its share at stake counts. */
export const gapKinds = {
  lost: { head: 'Win back', measure: 'runs without the brand / counted runs' },
  absent: {
    head: 'Get cited for',
    measure: 'runs that cite a competitor and not the brand / counted runs',
  },
  'rarely cited': {
    head: 'Get cited more often for',
    measure: 'runs that cite a competitor and not the brand / counted runs',
  },
  'engine gap': {
    head: 'Catch up on single engines for',
    measure: 'runs that are missing to the rate of the other engines / runs of these engines',
  },
  declining: {
    head: 'Stop the decline for',
    measure: 'runs that are missing to the rate of the window before / runs of these engines',
  },
  'not named': {
    head: 'Get named for',
    measure: 'runs that link the brand without naming it / runs that link it',
  },
  outranked: {
    head: 'Move up for',
    measure: 'runs with one competitor before the brand / runs that cite both',
  },
  'not linked': {
    head: 'Get linked for',
    measure: 'runs that name the brand / counted runs, none of which links it',
  },
  'source page': {
    head: 'Get onto',
    measure: 'runs that cite the page and a competitor, not the brand / runs that cite the page',
  },
  'not read': {
    head: 'Get read again:',
    measure: 'runs that cite the page / runs that cite a page of the brand',
  },
  'not cited': {
    head: 'Make worth citing:',
    measure: 'reads of these pages / reads of the site, by bots that read for answers',
  },
  blocked: { head: 'Let in', measure: 'requests refused / requests to the page' },
} as const;

/** What the share at stake of a stored action counts. */
export function measureOf(kind: string | null): string {
  return new Map(Object.entries(gapKinds)).get(kind ?? '')?.measure ?? 'not known';
}

/** Facts about the window that every rule needs. */
export interface Window {
  readonly current: Days;
  readonly before: Days;
  readonly brand: string;
  /** Names of subjects by id, archived ones too. */
  readonly names: ReadonlyMap<string, string>;
  /** The kind of a page of nobody that is tracked: `g2.com/crm`. */
  readonly kindOf: (page: string) => SourceKind;
  /** The mean number of counted runs of the prompts that have enough of them. */
  readonly runsUsual: number;
}

/** A gap that one prompt shows on some engines. */
export interface Gap {
  readonly kind: PromptKind;
  /** The engines that show the gap. The recommendation names them. */
  readonly engines: readonly string[];
  /** The engines whose runs the stake counts. */
  readonly counted: readonly string[];
  readonly stake: Stake;
}

/** What a rule finds. Its id, impact and priority follow. */
export interface FoundGap {
  readonly kind: GapKind;
  /** What its id follows from, beside its kind. */
  readonly about: ReadonlyArray<string | null>;
  readonly recommendation: string;
  /** How to fix it. */
  readonly steps: readonly string[];
  readonly stake: Stake;
  /** Where its impact lies; by default that of answers. */
  readonly range?: keyof typeof ranges;
  readonly filter: EvidenceFilter;
  /** The prompt and its share of voice in the window, if it concerns one prompt. */
  readonly prompt?: { readonly id: string; readonly sov: number };
}
