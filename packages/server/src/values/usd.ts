/** `$0.0042`, `$12.50`: small amounts with the digits that say something. */
export function dollars(usd: number): string {
  return `$${usd !== 0 && usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
