/** Formats an amount in US dollars, with more digits for small ones: `$0.0042`, `$12.50`. */
export function dollars(usd: number): string {
  return `$${usd !== 0 && usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** Reads a typed amount in US dollars, to the millionth; undefined for any other text. */
export function parseUsd(text: string): number | undefined {
  return /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
