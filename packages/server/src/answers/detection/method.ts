/** Counts up whenever a rule of detection changes what any answer gives. */
const rules = 5;

/**
 * What judged a run: our rules, and the versions of Unicode and of ICU, whose dictionaries part
 * Chinese, Japanese and Thai. `redetect` brings runs of another method up to date.
 */
export const methodVersion = `rules ${rules}, Unicode ${process.versions['unicode']}, ICU ${process.versions['icu']}`;
