/** Money is kept in millionths of a USD, as whole numbers. */
export function toMicros(usd: number): number {
  return Math.ceil(Number((usd * 1e6).toFixed(4)));
}

export function toUsd(micros: number): number {
  return micros / 1e6;
}
