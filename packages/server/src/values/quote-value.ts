import { escapeUnseen } from './printable.ts';

const foundLengthMax = 60;

/** Foreign content for a message: short, on one line, and unable to act on a terminal. */
export function quoteValue(value: unknown): string {
  // Cut the value before quoting it, because it may have megabytes.
  const text = typeof value === 'string' ? value.slice(0, foundLengthMax + 1) : value;
  // JSON would write infinity as null.
  const isFinite = typeof text !== 'number' || Number.isFinite(text);
  const quoted = escapeUnseen((isFinite ? JSON.stringify(text) : undefined) ?? String(text));
  return quoted.length > foundLengthMax + 2 ? `${quoted.slice(0, foundLengthMax)}...` : quoted;
}
