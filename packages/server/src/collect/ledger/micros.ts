/** Amounts are stored as whole millionths of a USD. */
export function toMicros(usd: number): number {
  return Math.ceil(Number((usd * 1e6).toFixed(4)));
}

export function toUsd(micros: number): number {
  return micros / 1e6;
}
