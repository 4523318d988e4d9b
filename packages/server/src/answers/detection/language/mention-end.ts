import { apostropheEnd } from './affixes.ts';
import type { Affixes } from './affixes.ts';
import { apostrophe, partsScripts, skip, takesAffix, endingAt } from './whole-word.ts';
import type { Name } from './whole-word.ts';
import { isHangulParticle } from './hangul-particle.ts';
import { characterAt, characterBefore, isHangul, isWordlike } from './scripts.ts';

/**
 * The end of a mention, including the ending that the text adds to the name: `Mailchimp's`,
 * `Googles` (German), `삼성은`. Letters of a script that separates words from the name's aren't an
 * ending: `Acme는`, `Acme的`. The name is a whole word; offsets are in code units.
 */
export function mentionEnd(text: string, name: Name, affixes: Affixes | undefined): number {
  const last = characterBefore(text, name.end);
  if (!isWordlike(last)) return name.end;
  const at = skip(text, name.end);
  const next = characterAt(text, at);
  if (apostrophe.test(next)) {
    const behind = at + next.length;
    const letters = endingAt(text, behind);
    return letters !== '' && apostropheEnd.test(letters) ? behind + letters.length : name.end;
  }
  const letters = endingAt(text, at);
  if (letters === '') return name.end;
  const isEnding = isHangul(last)
    ? isHangul(next) && isHangulParticle(letters)
    : partsScripts(last, next) === false &&
      affixes?.isSuffix(letters, text.slice(name.start, name.end)) === true &&
      takesAffix(text, name, affixes);
  return isEnding ? at + letters.length : name.end;
}
