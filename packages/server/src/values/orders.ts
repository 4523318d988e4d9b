/** A column of an order. Nulls come last in either direction. */
export interface OrderColumn<Name extends string = string> {
  readonly name: Name;
  readonly direction: 'asc' | 'desc';
  readonly isNullable?: boolean;
}

/** The order of rows, for responses, lists and exports alike. No two rows share all columns. */
export const orders = {
  scores: [
    { name: 'date', direction: 'desc' },
    { name: 'engine', direction: 'asc' },
  ],
  prompts: [
    { name: 'created_at', direction: 'desc' },
    { name: 'id', direction: 'asc' },
  ],
  actions: [
    { name: 'impact_score', direction: 'desc', isNullable: true },
    { name: 'created_at', direction: 'desc' },
    { name: 'id', direction: 'asc' },
  ],
  hits: [
    { name: 'hit_at', direction: 'desc' },
    { name: 'id', direction: 'asc' },
  ],
} as const satisfies Readonly<Record<string, readonly OrderColumn[]>>;
