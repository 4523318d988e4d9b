import { createMemo } from './memo.ts';

/**
 * A language tag in the form of BCP 47: `EN-us` becomes `en-US`. Undefined for any other text, and
 * for a language of more than three letters, since none is in use. Results are remembered, because
 * tags recur in every row and making one canonical takes microseconds.
 */
export const canonicalTag = createMemo((text) => parseTag(text)?.toString());

/** Whether a tag names a region, as `en-US` does. */
export function hasRegion(tag: string): boolean {
  return parseTag(tag)?.region !== undefined;
}

/** The language of a locale, with its script if it names one: `en` of `en-US`. */
export function languageOf(locale: string): string {
  const { language = locale, script } = parseTag(locale) ?? {};
  return script === undefined ? language : `${language}-${script}`;
}

/**
 * Derives the language and locale that a row leaves out: `de` from `de-DE`, and `en-US` if it gives
 * neither.
 */
export function completeLanguage(
  language: string | undefined,
  locale: string | undefined,
): { language: string; locale: string } {
  if (locale !== undefined) return { language: language ?? languageOf(locale), locale };
  const tag = language ?? 'en';
  return { language: tag, locale: likelyLocale(tag) };
}

/** Remember results, because rows repeat their languages. */
const likelyLocale = createMemo((tag) => {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region === undefined ? tag : `${language}-${region}`;
});

function parseTag(text: string): Intl.Locale | undefined {
  try {
    const tag = new Intl.Locale(text);
    return tag.language.length <= 3 ? tag : undefined;
  } catch {
    return undefined;
  }
}
