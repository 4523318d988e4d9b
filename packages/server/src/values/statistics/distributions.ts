/**
 * Student's t, the binomial and the hypergeometric distribution, to the precision of a double.
 * Formulas: NIST Digital Library of Mathematical Functions, 8.17 (incomplete beta) and 5.11 (log gamma).
 */

/** Coefficients of Stirling's series for log gamma (DLMF 5.11.1). */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360];
const stirlingFrom = 15;

function logGamma(x: number): number {
  let product = 1;
  let shifted = x;
  for (; shifted < stirlingFrom; shifted += 1) product *= shifted;
  const series = stirling.reduce((sum, term, index) => sum + term / shifted ** (2 * index + 1), 0);
  const half = (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2;
  return half + series - Math.log(product);
}

/** The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  // Lentz's method: https://dlmf.nist.gov/3.10#iii
  let [numerator, denominator] = [1, 1 / nonZero(1 - ((a + b) * x) / (a + 1))];
  let fraction = denominator;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      denominator = 1 / nonZero(1 + term * denominator);
      numerator = nonZero(1 + term / numerator);
      step = numerator * denominator;
      fraction *= step;
    }
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return (Math.exp(front) * fraction) / a;
}

function nonZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/** The chance that Student's t with `freedom` degrees is at least `t` away from 0. */
export function studentTail(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

const quantiles = new Map<number, number>();

/**
 * The 97.5 % quantile of Student's t with `freedom` degrees: 12.706 for 1, and 1.96 for infinitely
 * many.
 */
export function studentQuantile(freedom: number): number {
  const cached = quantiles.get(freedom);
  if (cached !== undefined) return cached;
  let [low, high] = [1.9, 13];
  while (high - low > 1e-13) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (studentTail(middle, freedom) > 0.05) low = middle;
    else high = middle;
  }
  quantiles.set(freedom, high);
  return high;
}

/**
 * The sign test, one-sided: the chance of at least `more` heads in `more + fewer` throws of a coin.
 * The binomial tail is an incomplete beta function (DLMF 8.17.5).
 */
export function signTest(more: number, fewer: number): number {
  return more === 0 ? 1 : incompleteBeta(0.5, more, fewer + 1);
}

/** A part of a whole. Both are counts. */
export interface Proportion {
  readonly part: number;
  readonly whole: number;
}

/**
 * Fisher's exact test of two proportions, two-sided: the sum over all tables with these margins
 * that are at most as likely as the given one. https://doi.org/10.2307/2340521
 */
export function fisherTest(left: Proportion, right: Proportion): number {
  const part = left.part + right.part;
  const whole = left.whole + right.whole;
  const lowest = Math.max(0, part - right.whole);
  const highest = Math.min(left.whole, part);
  const observed = logChance(left.part);
  let sum = 0;
  for (let count = lowest; count <= highest; count += 1) {
    const chance = logChance(count);
    // Two tables that are equally likely may differ in the last digits.
    if (chance <= observed + 1e-7) sum += Math.exp(chance);
  }
  return Math.min(1, sum);

  function logChance(count: number): number {
    return (
      logChoose(left.whole, count) + logChoose(right.whole, part - count) - logChoose(whole, part)
    );
  }
}

function logChoose(whole: number, part: number): number {
  return logFactorial(whole) - logFactorial(part) - logFactorial(whole - part);
}

const logFactorials = [0];

/** Remember results, because a test of one prompt needs the same ones hundreds of times. */
function logFactorial(count: number): number {
  for (let next = logFactorials.length; next <= count; next += 1) {
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  }
  return logFactorials[count] ?? 0;
}
