/** What happened, and what to do. An advice that begins with a line feed stays on lines of its own. */
export type Words = readonly [happened: string, advice?: string];

/** What a refusal says about the caller: wrong usage, wrong state of the data or files, or unavailable for now. */
type Kind = 'usage' | 'state' | 'unavailable';

/** One reason to refuse: its kind, and its words made from the facts. */
export interface Definition<Facts> {
  readonly kind: Kind;
  // A method, so that the facts of all reasons fit into one type.
  words(facts: Facts): Words;
}

type NoFacts = Readonly<Record<string, never>>;

export function usage<Facts = NoFacts>(words: (facts: Facts) => Words): Definition<Facts> {
  return { kind: 'usage', words };
}

export function state<Facts = NoFacts>(words: (facts: Facts) => Words): Definition<Facts> {
  return { kind: 'state', words };
}

export function unavailable<Facts = NoFacts>(words: (facts: Facts) => Words): Definition<Facts> {
  return { kind: 'unavailable', words };
}
