import { createRandom } from './bench.ts';

/** Random draws of a simulation; the same seed gives the same ones. */
export function createDraws(seed: number): {
  /** A prompt's own rate, from the beta distribution of this mean and intra-class correlation. */
  readonly betaOf: (mean: number, likeness: number) => number;
  readonly binomialOf: (runs: number, rate: number) => number;
  readonly wholeBelow: (end: number) => number;
} {
  const uniform = createRandom(seed);
  return { betaOf, binomialOf, wholeBelow };

  function wholeBelow(end: number): number {
    return Math.floor(uniform() * end);
  }

  function binomialOf(runs: number, rate: number): number {
    let hits = 0;
    for (let run = 0; run < runs; run += 1) if (uniform() < rate) hits += 1;
    return hits;
  }

  function betaOf(mean: number, likeness: number): number {
    if (likeness === 0) return mean;
    const size = (1 - likeness) / likeness;
    const left = gammaOf(mean * size);
    return left / (left + gammaOf((1 - mean) * size));
  }

  /** Marsaglia and Tsang 2000, https://doi.org/10.1145/358407.358414 */
  function gammaOf(shape: number): number {
    if (shape < 1) return gammaOf(shape + 1) * uniform() ** (1 / shape);
    const shifted = shape - 1 / 3;
    const scale = 1 / Math.sqrt(9 * shifted);
    for (;;) {
      const normal = normalOf();
      const cube = (1 + scale * normal) ** 3;
      const log = normal ** 2 / 2 + shifted - shifted * cube + shifted * Math.log(cube);
      if (cube > 0 && Math.log(uniform()) < log) return shifted * cube;
    }
  }

  /** Box and Muller 1958. */
  function normalOf(): number {
    return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  }
}
