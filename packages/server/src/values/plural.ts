/** A number with its noun: `1 row`, `2 rows`, `2 entries`. */
export function plural(number: number, noun: string, nouns: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/** The same with separators: `1,234 rows`. */
export function amount(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** The same without a zero: `no rows`. */
export function amountOrNo(number: number, noun: string): string {
  return number === 0 ? `no ${noun}s` : amount(number, noun);
}

/** A number with separators: `1,234`. */
export function thousands(number: number): string {
  return number.toLocaleString('en-US');
}

/** A number with up to two decimals: `1.25`. */
export function twoDecimals(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** `once a day`, `3 times a day`. */
export function timesADay(count: number): string {
  return count === 1 ? 'once a day' : `${plural(count, 'time')} a day`;
}
