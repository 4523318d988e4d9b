/** Counts up whenever a rule of detection changes what any answer gives. */
const rules = 5;

/**
 * How a run was judged: by our rules, and by the versions of Unicode and of ICU, whose dictionaries split
 * Chinese, Japanese and Thai into words. `redetect` brings runs of another method up to date.
 */
export const methodVersion = `rules ${rules}, Unicode ${process.versions['unicode']}, ICU ${process.versions['icu']}`;
