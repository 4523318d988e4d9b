/** The forms of one word with the case endings of a language. The word is in lower case. */
type Inflect = (word: string) => readonly string[];

interface Declension {
  readonly inflect: Inflect;
  /** Whether the first of several words changes, too: `Poczty Polskiej`. */
  readonly changesFirst: boolean;
}

/** Rules by the primary subtag of BCP 47, for languages whose endings detection takes off. */
const byLanguage: ReadonlyMap<string, Declension> = new Map([
  ['fi', { inflect: finnish, changesFirst: false }],
  ['hu', { inflect: hungarian, changesFirst: false }],
  ['pl', { inflect: polish, changesFirst: true }],
  ['cs', { inflect: czech, changesFirst: true }],
  ['ru', { inflect: russian, changesFirst: true }],
]);

/** The primary subtag of a language whose endings are taken off; else an empty text. */
export function inflectingLanguage(language: string | undefined): string {
  const tag = language?.toLowerCase().split('-', 1)[0] ?? '';
  return byLanguage.has(tag) ? tag : '';
}

/** A name with a case ending. */
export interface InflectedName {
  /** The form, written as the name where they agree. */
  readonly form: string;
  /** What the form's last word ends with, in lower case, where it differs from the name. */
  readonly ending: string;
}

const lettersMin = 4;

/**
 * The forms of a name in the cases of a language, by its rules for foreign names. Empty for other
 * languages, for names under four letters, and for abbreviations that are spelt out.
 */
export function inflectInText(name: string, language: string): readonly InflectedName[] {
  const declension = byLanguage.get(language);
  if (declension === undefined || (name.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return [];
  const words = name.normalize('NFC').split(/(?<=[\s-])(?=[^\s-])/u);
  const last = words.at(-1) ?? '';
  const isOne = words.length === 1;
  const lasts = formsOf(last, declension);
  const firsts = isOne || !declension.changesFirst ? [] : formsOf(words[0] ?? '', declension);
  const middle = words.slice(1, -1).join('');
  const begin = isOne ? [''] : [words[0] ?? '', ...firsts.map(({ form }) => form)];
  return begin.flatMap((first, index) =>
    [...(index === 0 ? [] : [{ form: last, ending: '' }]), ...lasts].map(({ form, ending }) => ({
      form: first + middle + form,
      ending,
    })),
  );
}

function formsOf(written: string, { inflect }: Declension): InflectedName[] {
  const blanks = /[\s-]*$/u.exec(written)?.[0] ?? '';
  const word = written.slice(0, written.length - blanks.length);
  const lower = word.toLowerCase();
  // A part of one or two letters is an initial: `T-fal`.
  if (lower.length !== word.length || word.length < 3 || isSpeltOut(word)) return [];
  return [...new Set(inflect(lower))]
    .filter((form) => form !== lower)
    .map((form) => {
      let same = 0;
      while (same < lower.length && form[same] === lower[same]) same += 1;
      const ending = form.slice(same);
      return { form: word.slice(0, same) + ending + blanks, ending };
    });
}

/** `HSBC`, but not `IKEA`, which is read as a word. */
function isSpeltOut(word: string): boolean {
  return (
    /^[\p{Lu}\p{Nd}&]{2,}$/u.test(word) &&
    (word.length < lettersMin || !/[aeiouyäöüаеёиоуыэюя]/iu.test(word))
  );
}

const latin = /\p{Script=Latin}\p{M}*$/u;
const cyrillic = /\p{Script=Cyrillic}$/u;
const vowel = /[aeiouyäöüåõæøáéíóúýàèìòùâêîôûąęěůőű]$/iu;

/** A stem with each of some endings. */
export function stems(stem: string, endings: string): string[] {
  return endings.split(' ').map((ending) => stem + ending);
}

/** A name without its last letters. */
export function dropEnding(name: string, letters = 1): string {
  return name.slice(0, -letters);
}

function finnish(word: string): readonly string[] {
  if (!latin.test(word)) return [];
  if (word.endsWith('nen')) {
    const stem = `${dropEnding(word, 3)}s`;
    return stems(stem, 'en ta tä essa essä esta estä een ella ellä elta eltä elle ena enä eksi');
  }
  const ends = 'n ssa ssä sta stä lla llä lta ltä lle na nä ksi';
  const stem = vowel.test(word) ? word : `${word}i`;
  const forms = [...stems(stem, `${ends} a ä`), `${stem}${stem.slice(-1)}n`];
  // A name in -e may be a Finnish word (`Nesteen`), one in -us mostly is (`Veikkauksen`).
  if (word.endsWith('e')) forms.push(...stems(`${word}e`, ends), `${word}tta`, `${word}ttä`);
  const ofUs = /[uyoö]s$/u.test(word) ? `${dropEnding(word)}kse` : undefined;
  if (ofUs !== undefined) forms.push(...stems(ofUs, `${ends} en`), `${word}ta`, `${word}tä`);
  // Two equal consonants weaken before a closed syllable: `Marimekon`.
  const weak = word.replace(/(k|p|t)\1(?=[aeiouyäö]$)/u, '$1');
  return weak === word ? forms : [...forms, ...stems(weak, ends)];
}

function hungarian(word: string): readonly string[] {
  if (!latin.test(word)) return [];
  const cases =
    'nak nek ban ben ba be ból ből ra re ról ről nál nél hoz hez höz tól től ért ig ként on en ön';
  if (vowel.test(word)) {
    const long: Readonly<Record<string, string>> = { a: 'á', e: 'é', o: 'ó', ö: 'ő' };
    const last = word.slice(-1);
    return stems(dropEnding(word) + (long[last] ?? last), `${cases} t n val vel`);
  }
  const digraph = /(?:sz|cs|gy|ny|ty|ly|zs)$/u.exec(word)?.[0];
  const last = word.slice(-1);
  const isDouble = word.at(-2) === last;
  const doubled =
    digraph === undefined ? word + (isDouble ? '' : last) : dropEnding(word) + digraph;
  return [...stems(word, `${cases} t ot et öt at`), ...stems(doubled, 'al el')];
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

function polish(word: string): readonly string[] {
  if (!latin.test(word)) return [];
  if (/[sc]ki$/u.test(word)) return stems(word, 'ego emu m');
  if (/[sc]ka$/u.test(word))
    return [...stems(dropEnding(word), 'iej ą ę i'), ...polishFeminine(dropEnding(word))];
  // A silent e takes an apostrophe.
  if (/[^aeiouy]e$/u.test(word)) return stems(`${word}'`, 'a u owi em');
  if (/[ei]a$/u.test(word)) return stems(dropEnding(word), 'i ę ą');
  if (word.endsWith('a')) return polishFeminine(dropEnding(word));
  const stem = word.endsWith('o') ? dropEnding(word) : word;
  if (stem === word && vowel.test(word) && !/[aeou]y$/u.test(word)) return [];
  // `Wedel` loses its e: `Wedla`.
  const fleeting = word.replace(/(?<=[^aeiouy])e(?=[lk]$)/u, '');
  const all = fleeting === stem || stem !== word ? [stem] : [stem, fleeting];
  return all.flatMap((one) => {
    const instrumental = /[kg]$/u.test(one) ? 'iem' : 'em';
    return [...stems(one, `a u owi ${instrumental}`), ...softenEnding(one)];
  });
}

function polishFeminine(stem: string): readonly string[] {
  const dative = stem.endsWith('k')
    ? [`${dropEnding(stem)}ce`]
    : stem.endsWith('g')
      ? [`${dropEnding(stem)}dze`]
      : softenEnding(stem);
  const genitive = /[kgl]$/u.test(stem) ? 'i' : 'y';
  const ofJ = stem.endsWith('j') ? `${dropEnding(stem)}i` : `${stem}${genitive}`;
  return [ofJ, ...dative, `${stem}ę`, `${stem}ą`];
}

function softenEnding(stem: string): string[] {
  const pair = polishSoft.find(([hard]) => stem.endsWith(hard));
  return pair === undefined ? [] : [`${dropEnding(stem, pair[0].length)}${pair[1]}`];
}

function czech(word: string): readonly string[] {
  if (!latin.test(word)) return [];
  if (word.endsWith('ý')) return stems(dropEnding(word), 'ého ému ým ém');
  if (word.endsWith('á')) return stems(dropEnding(word), 'é ou');
  if (word.endsWith('ia')) return stems(dropEnding(word), 'e i u í');
  if (word.endsWith('ea')) return stems(dropEnding(word), 'y e i u ou');
  if (word.endsWith('a')) {
    const stem = dropEnding(word);
    const soft: Readonly<Record<string, string>> = { k: 'ce', g: 'ze', h: 'ze', r: 'ře' };
    const last = stem.slice(-1);
    const other = /[lsz]$/u.test(stem) ? `${stem}e` : `${stem}ě`;
    const dative = soft[last] === undefined ? other : dropEnding(stem) + soft[last];
    return [`${stem}y`, dative, `${stem}u`, `${stem}ou`];
  }
  if (/[^aeiouyáéíóúý][eo]$/u.test(word)) return stems(dropEnding(word), 'a u em ovi');
  if (vowel.test(word)) return [];
  if (/(?:[žšřčcj]|sch)$/u.test(word)) return stems(word, 'e i em u ovi');
  return stems(word, /[dtnbpvm]$/u.test(word) ? 'u em a ovi ě' : 'u em a ovi e');
}

/** Names in Latin letters stay as they are in Russian texts. */
function russian(word: string): readonly string[] {
  if (!cyrillic.test(word)) return [];
  if (/(?:ый|ой)$/u.test(word)) return stems(dropEnding(word, 2), 'ого ому ым ом');
  if (word.endsWith('ская') || word.endsWith('ая')) return stems(dropEnding(word, 2), 'ой ую');
  if (word.endsWith('ский')) return stems(dropEnding(word, 2), 'ого ому им ом');
  if (word.endsWith('ия')) return stems(dropEnding(word), 'и ю ей');
  if (word.endsWith('я')) return stems(dropEnding(word), 'и е ю ей');
  if (/[гкхжчшщ]а$/u.test(word)) return stems(dropEnding(word), 'и е у ой');
  if (word.endsWith('а')) return stems(dropEnding(word), 'ы е у ой');
  if (word.endsWith('й')) return stems(dropEnding(word), 'я ю ем е');
  if (word.endsWith('ь')) return stems(dropEnding(word), 'я ю ем е и ью');
  if (!/[бвгджзклмнпрстфхцчшщ]$/u.test(word)) return [];
  // `Перекрёсток` loses its o: `Перекрёстка`.
  const fleeting = word.replace(/(?<=[бвгджзклмнпрстфхцчшщ])[оеё](?=[кц]$)/u, '');
  const instrumental = /[жчшщц]$/u.test(word) ? 'ем' : 'ом';
  const all = fleeting === word ? [word] : [word, fleeting];
  return all.flatMap((one) => stems(one, `а у ${instrumental} е`));
}
