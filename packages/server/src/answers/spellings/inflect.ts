import { dropEnding, stems } from '../detection/names/inflect.ts';

/** Spellings of a name with the case endings of a language, the most frequent first. */
type Inflect = (name: string) => readonly string[];

/**
 * Rules by the primary subtag of BCP 47. Languages whose endings detection takes off are not
 * listed.
 */
const byLanguage: ReadonlyMap<string, Inflect> = new Map<string, Inflect>([
  ['et', estonian],
  ['sk', slovak],
  ...['hr', 'sr', 'bs', 'sl'].map((tag): [string, Inflect] => [tag, southSlavic]),
  ['lt', lithuanian],
  ['lv', latvian],
  ['uk', ukrainian],
]);

/**
 * Inflects a name in the cases of a language, by its rules for foreign names. Only the last of
 * several words changes. Empty for other languages, and for names that the language does not
 * inflect.
 */
export function inflect(name: string, language: string): readonly string[] {
  const forms = byLanguage.get(language.toLowerCase().split('-', 1)[0] ?? '')?.(name) ?? [];
  return [...new Set(forms)].filter((form) => form !== name);
}

const latin = /\p{Script=Latin}\p{M}*$/u;
const cyrillic = /\p{Script=Cyrillic}$/u;
const vowel = /[aeiouyäöüåõæøáéíóúýàèìòùâêîôûąęěůőű]$/iu;

/** Abbreviations are inflected with a colon, which ends a word, so detection finds them already. */
function isAbbreviation(name: string): boolean {
  return /(?:^|\s)[\p{Lu}\p{Nd}&]{2,}$/u.test(name);
}

function estonian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (vowel.test(name)) return stems(name, 't s st l lt le ga ks');
  return [`${name}i`, ...stems(`${name}i`, 't s st l lt le ga ks')];
}

function slovak(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ia')) return stems(dropEnding(name), 'e i u ou');
  if (name.endsWith('a')) return stems(dropEnding(name), 'y e u ou');
  if (name.endsWith('o')) return stems(dropEnding(name), 'a u om');
  return vowel.test(name) ? [] : stems(name, 'u om e a ovi');
}

function southSlavic(name: string): readonly string[] {
  if (isAbbreviation(name)) return [];
  if (cyrillic.test(name)) {
    if (name.endsWith('а')) return stems(dropEnding(name), 'е и у ом');
    return /[бвгджзклмнпрстфхцчш]$/iu.test(name) ? stems(name, 'а у ом') : [];
  }
  if (!latin.test(name)) return [];
  if (name.endsWith('a')) return stems(dropEnding(name), 'e i u om o');
  if (name.endsWith('o')) return stems(dropEnding(name), 'a u om');
  return vowel.test(name) ? [] : stems(name, 'a u om');
}

function lithuanian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('as')) return stems(dropEnding(name, 2), 'o ui ą u e');
  if (name.endsWith('a')) return stems(dropEnding(name), 'os ai ą oje');
  return vowel.test(name) ? [] : stems(name, 'o ui ą u e');
}

function latvian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('s')) return stems(dropEnding(name), 'a am u ā');
  if (name.endsWith('a')) return stems(dropEnding(name), 'as ai u ā');
  return vowel.test(name) ? [] : stems(name, 'a am u ā');
}

function ukrainian(name: string): readonly string[] {
  if (!cyrillic.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ія')) return stems(dropEnding(name), 'ї ю єю');
  if (name.endsWith('я')) return stems(dropEnding(name), 'і ю ею');
  if (name.endsWith('а')) return stems(dropEnding(name), 'и і у ою');
  if (name.endsWith('й')) return stems(dropEnding(name), 'я ю єм ї');
  if (name.endsWith('ь')) return stems(dropEnding(name), 'я ю ем і');
  return /[бвгґджзклмнпрстфхцчшщ]$/iu.test(name) ? stems(name, 'а у ові ом і') : [];
}
