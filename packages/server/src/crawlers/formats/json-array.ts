import { objectOf } from './json-format.ts';

/**
 * The objects of a line that holds several, as drains and event hubs deliver them: a JSON array, or one
 * under `records`; also the lines of an array that is written over several. Undefined for other lines.
 */
export function itemsOf(line: string): readonly string[] | undefined {
  if (!beginsArray.test(line) && !isPiece(line)) return undefined;
  const text = line.trim().replace(/,$/, '');
  if (text === '[' || text === ']') return [''];
  const whole = arrayOf(text);
  if (whole !== undefined) return whole;
  const single = text.replace(/^\[/, '').replace(/\]$/, '').trim();
  return single.startsWith('{') && single !== line ? [single] : undefined;
}

const beginsArray = /^\s*(?:\[\s*(?:\{|$)|\],?\s*$|\{\s*"[Rr]ecords"\s*:\s*\[)/;

/** One object of an array that is written over several lines: a comma or the array's end follows it. */
function isPiece(line: string): boolean {
  return line.startsWith('{') && (line.endsWith('},') || line.endsWith('}]'));
}

function arrayOf(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const object = objectOf(value);
    const list = object === undefined ? value : (object['records'] ?? object['Records']);
    return Array.isArray(list) && list.length > 0
      ? list.map((item) => JSON.stringify(item))
      : undefined;
  } catch {
    return undefined;
  }
}
