/** Text in one case and one form, to find a text in another in any case. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
