import { parseJson } from '../../values/json.ts';

/** Objects around the key, from the innermost, that are tried: some pages nest the list deeper. */
const depthsMax = 8;

/**
 * Finds the JSON object that a page carries around its first `"prefixes"`, as Amazon's pages do in a
 * script. Undefined if there is none. Each try reads the page at most once, so hostile pages cost little.
 */
export function findEmbeddedJson(page: string): unknown {
  const text = page.replaceAll('&quot;', '"');
  const key = text.indexOf('"prefixes"');
  let start = key === -1 ? -1 : openingBrace(text, key);
  for (let depth = 0; start !== -1 && depth < depthsMax; depth++) {
    const value = parseJson(text.slice(start, closingBrace(text, start) + 1));
    if (value !== undefined) return value;
    start = openingBrace(text, start);
  }
  return undefined;
}

/** Where the object begins that the character before `end` is in; -1 if it is in none. */
function openingBrace(text: string, end: number): number {
  let closed = 0;
  for (let index = end - 1; index >= 0; index--) {
    const character = text[index];
    if (character === '}') closed++;
    else if (character === '{' && closed-- === 0) return index;
  }
  return -1;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '{') depth++;
    if (character === '}' && --depth === 0) return index;
  }
  return start;
}
