/** Spellings of a name with the case endings of a language, the most frequent first. */
type Inflect = (name: string) => readonly string[];

/**
 * Rules by the primary subtag of BCP 47. Languages that other rules or apostrophes cover are not
 * listed.
 */
const byLanguage: ReadonlyMap<string, Inflect> = new Map<string, Inflect>([
  ['fi', finnish],
  ['et', estonian],
  ['hu', hungarian],
  ['pl', polish],
  ['cs', czech],
  ['sk', slovak],
  ...['hr', 'sr', 'bs', 'sl'].map((tag): [string, Inflect] => [tag, southSlavic]),
  ['lt', lithuanian],
  ['lv', latvian],
  ['ru', russian],
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

function stems(stem: string, endings: string): string[] {
  return endings.split(' ').map((ending) => stem + ending);
}

function dropEnding(name: string, letters = 1): string {
  return name.slice(0, -letters);
}

/** Abbreviations are inflected with a colon, which ends a word, so detection finds them already. */
function isAbbreviation(name: string): boolean {
  return /(?:^|\s)[\p{Lu}\p{Nd}&]{2,}$/u.test(name);
}

function isBack(name: string): boolean {
  const vowels = name.toLowerCase().match(/[aouyäöü]/gu) ?? [];
  const last = vowels.at(-1);
  return last !== undefined && 'aou'.includes(last);
}

function finnish(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  const a = isBack(name) ? 'a' : 'ä';
  if (name.endsWith('nen')) {
    const stem = `${dropEnding(name, 3)}s`;
    return stems(stem, `en t${a} ess${a} est${a} een ell${a} elt${a} elle`);
  }
  const stem = vowel.test(name) ? name : `${name}i`;
  const last = stem.slice(-1);
  return stems(stem, `n ${a} ss${a} st${a} ${last}n ll${a} lt${a} lle n${a} ksi`);
}

function estonian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (vowel.test(name)) return stems(name, 't s st l lt le ga ks');
  return [`${name}i`, ...stems(`${name}i`, 't s st l lt le ga ks')];
}

function hungarian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  const back = /[aáoóuú]/iu.test(name);
  const round = /[öőüű][^aáeéiíoóuú]*$/iu.test(name);
  const long: Readonly<Record<string, string>> = { a: 'á', e: 'é', o: 'ó', ö: 'ő' };
  const last = name.slice(-1);
  const stem = vowel.test(name) ? dropEnding(name) + (long[last] ?? last) : name;
  const link = vowel.test(name) ? '' : back ? 'o' : round ? 'ö' : 'e';
  const double = vowel.test(name) ? 'v' : /(?:sz|cs|gy|ny|ty|ly|zs)$/iu.test(name) ? '' : last;
  const cases = back
    ? 'nak ban ból ra ról nál hoz tól'
    : `nek ben ből re ről nél ${round ? 'höz' : 'hez'} től`;
  return [
    `${stem}${link}t`,
    ...stems(stem, cases),
    ...(double === '' ? [] : [`${stem}${double.toLowerCase()}${back ? 'al' : 'el'}`]),
  ];
}

/** How a consonant softens before the locative's `e`. */
const polishSoft: ReadonlyArray<readonly [string, string]> = [
  ['st', 'ście'],
  ['t', 'cie'],
  ['d', 'dzie'],
  ['r', 'rze'],
  ['ł', 'le'],
  ...[...'nmpbwfsz'].map((letter): [string, string] => [letter, `${letter}ie`]),
];

function polish(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  const lower = name.toLowerCase();
  // A silent e takes an apostrophe.
  if (/[^aeiouy]e$/u.test(lower)) return stems(`${name}'`, 'a owi em');
  if (/[ei]a$/u.test(lower)) return stems(dropEnding(name), 'i ę ą');
  if (lower.endsWith('a')) return [...polishFeminine(dropEnding(name))];
  if (lower.endsWith('o')) {
    const instrumental = /[kg]o$/u.test(lower) ? 'iem' : 'em';
    return stems(dropEnding(name), `a u ${instrumental}`);
  }
  if (vowel.test(name)) return [];
  const instrumental = /[kg]$/u.test(lower) ? 'iem' : 'em';
  return [...stems(name, `a u owi ${instrumental}`), ...softenEnding(name)];
}

function polishFeminine(stem: string): readonly string[] {
  const dative = stem.endsWith('k')
    ? [`${dropEnding(stem)}ce`]
    : stem.endsWith('g')
      ? [`${dropEnding(stem)}dze`]
      : softenEnding(stem);
  const genitive = /[kgl]$/u.test(stem) ? 'i' : stem.endsWith('j') ? '' : 'y';
  const ofJ = stem.endsWith('j') ? [`${dropEnding(stem)}i`] : [`${stem}${genitive}`];
  return [...ofJ, ...dative, `${stem}ę`, `${stem}ą`];
}

function softenEnding(stem: string): string[] {
  const pair = polishSoft.find(([hard]) => stem.endsWith(hard));
  return pair === undefined ? [] : [`${dropEnding(stem, pair[0].length)}${pair[1]}`];
}

function czech(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ia')) return stems(dropEnding(name), 'e i u í');
  if (name.endsWith('ea')) return stems(dropEnding(name), 'y e u ou');
  if (name.endsWith('a')) {
    const stem = dropEnding(name);
    const soft: Readonly<Record<string, string>> = { k: 'ce', g: 'ze', h: 'ze', r: 'ře' };
    const last = stem.slice(-1);
    const other = /[lsz]$/iu.test(stem) ? `${stem}e` : `${stem}ě`;
    const dative = soft[last] === undefined ? other : dropEnding(stem) + soft[last];
    return [`${stem}y`, dative, `${stem}u`, `${stem}ou`];
  }
  if (name.endsWith('o')) return stems(dropEnding(name), 'a u em');
  return vowel.test(name) ? [] : stems(name, 'u em a ovi');
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

/** Names in Latin letters stay as they are in Russian and Ukrainian texts. */
function russian(name: string): readonly string[] {
  if (!cyrillic.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ия')) return stems(dropEnding(name), 'и ю ей');
  if (name.endsWith('я')) return stems(dropEnding(name), 'и е ю ей');
  if (/[гкхжчшщ]а$/iu.test(name)) return stems(dropEnding(name), 'и е у ой');
  if (name.endsWith('а')) return stems(dropEnding(name), 'ы е у ой');
  if (name.endsWith('й')) return stems(dropEnding(name), 'я ю ем е');
  if (name.endsWith('ь')) return stems(dropEnding(name), 'я ю ем е и ью');
  return /[бвгджзклмнпрстфхцчшщ]$/iu.test(name) ? stems(name, 'а у ом е') : [];
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
