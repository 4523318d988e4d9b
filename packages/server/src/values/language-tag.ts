/** Tags recur in every row, and making one canonical takes microseconds. */
const known = new Map<string, string | undefined>();
const knownMax = 1000;

/**
 * A language tag in the form of BCP 47: `EN-us` becomes `en-US`. Undefined for what is not one,
 * or where its language is longer than the three letters that are in use.
 */
export function canonicalTag(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  const tag = parseTag(text)?.toString();
  if (known.size >= knownMax) known.clear();
  known.set(text, tag);
  return tag;
}

/** Whether a tag names a region, as `en-US` does. */
export function hasRegion(tag: string): boolean {
  return parseTag(tag)?.region !== undefined;
}

/** The language of a locale, with its script if it names one: `en` of `en-US`. */
export function languageOf(locale: string): string {
  const { language = locale, script } = parseTag(locale) ?? {};
  return script === undefined ? language : `${language}-${script}`;
}

function parseTag(text: string): Intl.Locale | undefined {
  try {
    const tag = new Intl.Locale(text);
    return tag.language.length <= 3 ? tag : undefined;
  } catch {
    return undefined;
  }
}
