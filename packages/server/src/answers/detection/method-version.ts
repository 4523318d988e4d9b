/** Increase this number whenever a change of the rules changes the detections of any answer. */
const rules = 5;

/**
 * The method that judged a run: the version of our rules, of Unicode, and of ICU, whose
 * dictionaries split Chinese, Japanese and Thai into words. `redetect` updates runs of another
 * method.
 */
export const methodVersion = `rules ${rules}, Unicode ${process.versions['unicode']}, ICU ${process.versions['icu']}`;
