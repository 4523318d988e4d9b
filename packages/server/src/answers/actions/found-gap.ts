import type { GapKind, PromptKind } from './gap-kinds.ts';
import type { ranges, Stake } from './impact.ts';
import type { Days, EvidenceFilter } from './parts.ts';

/** Facts about the window that every rule needs. */
export interface Window {
  readonly current: Days;
  readonly before: Days;
  readonly brand: string;
  /** Names of subjects by id, archived ones too. */
  readonly names: ReadonlyMap<string, string>;
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
