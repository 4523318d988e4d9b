/**
 * The language that a prompt is in, for the affixes of names: the one it is said to have. An import
 * that says none makes it English, and then Hebrew and Arabic are known by their letters; Persian
 * and Urdu have letters that Arabic lacks.
 */
export function languageAsked(language: string | undefined, asked: string): string | undefined {
  if (language === undefined || !/^en(?:-|$)/i.test(language)) return language;
  if (/\p{Script=Hebrew}/u.test(asked)) return 'he';
  if (!/\p{Script=Arabic}/u.test(asked)) return language;
  return /[پچژگکیےٹڈڑں]/u.test(asked) ? language : 'ar';
}
