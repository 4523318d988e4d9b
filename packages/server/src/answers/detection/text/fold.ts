import { createMemo } from '../../../values/memo.ts';

/**
 * Text folded for comparison: NFKC and full case folding, without accents on Latin, Greek and
 * Cyrillic letters, without vowel marks on Arabic and Hebrew ones, and without invisible
 * characters. It is one array of UTF-16 code units. If folding changed lengths, it also has the
 * original place of each unit.
 */
export interface FoldedText {
  readonly codes: Uint16Array;
  /** Number of units of `codes` that are in use. */
  readonly length: number;
  /**
   * Original offset of each unit and of the end; undefined if folded and original offsets are
   * equal.
   */
  readonly offsets: Int32Array | undefined;
}

/**
 * Folds a text in linear time. Most characters cost one lookup in a table that is filled as needed.
 */
export function foldText(text: string): FoldedText {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const tableUnit = table[unit] ?? unknown;
    const folded = tableUnit === unknown ? classify(unit) : tableUnit;
    if (folded <= extending) return foldClusters(text);
    codes[at] = folded;
  }
  return { codes, length: text.length, offsets: undefined };
}

/** Folds a short text to a string. */
export function foldString(text: string): string {
  const { codes, length } = foldText(text);
  return String.fromCharCode(...codes.subarray(0, length));
}

/**
 * Special values in the table. As text these three are control characters, which fold to a space.
 */
const [unknown, complex, extending] = [0, 1, 2];
const space = 0x20;

/** The unit that each code unit folds to, or one of the special values. */
const table = new Uint16Array(65_536);

/**
 * Characters that join the one before them: marks, vowel and final jamo, half-width voicing marks,
 * the stroke that lengthens an Arabic word, and invisible characters.
 */
const extends_ =
  /[\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]/u;
const dropped = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;
const accented =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const marks = /\p{M}/gu;

/**
 * Footnote digits and signs after a name. Compatibility decomposition would turn them into letters.
 */
const keptCharacters =
  /[\u00b2\u00b3\u00b9\u2070-\u209c\u2100-\u214f\u2460-\u24ff\u2776-\u2793\u32d0-\u33ff]/;

/**
 * Letters with a stroke and ligatures. Unicode does not decompose them, but people write them as
 * plain letters.
 */
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ک: 'ك',
  ی: 'ي',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};

const signs: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u02bc': "'",
  '\uff07': "'",
  '\u2010': '-',
  '\u2011': '-',
  '\ufe63': '-',
  '\uff0d': '-',
  '\u200b': ' ',
  '\u2028': '\n',
  '\u2029': '\n',
  '\u0085': '\n',
};

function classify(unit: number): number {
  const value = fate(unit);
  table[unit] = value;
  return value;
}

function fate(unit: number): number {
  if (unit < 0x80) return unit <= extending ? space : asciiLower(unit);
  // Keep surrogate pairs of planes without letters, mostly emoji, as they are.
  if (unit >= 0xd83c && unit <= 0xd83e) return unit;
  if (unit >= 0xdc00 && unit <= 0xdfff) return unit;
  if (unit >= 0xd800 && unit <= 0xdbff) return complex;
  const character = String.fromCharCode(unit);
  if (signs[character] === undefined && extends_.test(character)) return extending;
  const folded = foldCluster(character);
  return folded.length === 1 ? folded.charCodeAt(0) : complex;
}

function asciiLower(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}

function foldClusters(text: string): FoldedText {
  let codes = new Uint16Array(text.length + 16);
  let offsets = new Int32Array(text.length + 17);
  let length = 0;
  for (let at = 0; at < text.length;) {
    const folded = foldUnit(text.charCodeAt(at));
    const end = at + 1;
    if (folded > extending && (end === text.length || !isExtending(text, end))) {
      if (length === codes.length) grow(1);
      codes[length] = folded;
      offsets[length] = at;
      length += 1;
      at = end;
    } else {
      at = pushCluster(at);
    }
  }
  offsets[length] = text.length;
  return { codes, length, offsets };

  function pushCluster(start: number): number {
    const end = clusterEnd(text, start);
    const folded = cachedCluster(text.slice(start, end));
    if (length + folded.length > codes.length) grow(folded.length);
    for (let index = 0; index < folded.length; index += 1) {
      codes[length] = folded.charCodeAt(index);
      offsets[length] = start;
      length += 1;
    }
    return end;
  }

  function grow(by: number): void {
    const room = Math.ceil((codes.length + by) * 1.5);
    const [oldCodes, oldOffsets] = [codes, offsets];
    codes = new Uint16Array(room);
    offsets = new Int32Array(room + 1);
    codes.set(oldCodes);
    offsets.set(oldOffsets);
  }
}

function foldUnit(unit: number): number {
  const tableUnit = table[unit] ?? unknown;
  return tableUnit === unknown ? classify(unit) : tableUnit;
}

function isExtending(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (foldUnit(unit) === extending) return true;
  // Marks beyond the first plane, mostly variation selectors.
  return (
    unit >= 0xd800 &&
    unit <= 0xdbff &&
    extends_.test(String.fromCodePoint(text.codePointAt(at) ?? 0))
  );
}

/** The end of the character that begins at `start`, including everything that joins it. */
function clusterEnd(text: string, start: number): number {
  let end = start + size(text, start);
  while (end < text.length && isExtending(text, end)) end += size(text, end);
  return end;
}

function size(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

const rememberCluster = createMemo(foldCluster, { entriesMax: 4096 });

function cachedCluster(cluster: string): string {
  // Do not store a letter with thousands of marks in the table.
  return cluster.length <= 8 ? rememberCluster(cluster) : foldCluster(cluster);
}

/** Folds one character with its marks. Empty if the character is invisible. */
function foldCluster(cluster: string): string {
  const sign = signs[cluster];
  if (sign !== undefined) return sign;
  const visible = cluster.replace(dropped, '');
  if (keptCharacters.test(visible)) return visible;
  const apart = visible.normalize('NFKD');
  const bare = accented.test(apart) ? apart.replace(marks, '') : apart;
  // A separate letter, although its capital isn't.
  if (bare === 'ı') return bare;
  // Convert to upper case in between, because that unfolds ß, final sigma and the long s.
  const lower = bare.toLowerCase().toUpperCase().toLowerCase();
  return lower.replace(/[^\0-\x7f]/gu, (letter) => letters[letter] ?? letter).normalize('NFC');
}
