/**
 * Whether a locale is in a range: `de` includes `de-DE`, and letters may be in any case. This is
 * [basic filtering](https://www.rfc-editor.org/rfc/rfc4647#section-3.3.1).
 */
export function isInLocaleRange(locale: string, range: string): boolean {
  return `${locale}-`.toLowerCase().startsWith(`${range}-`.toLowerCase());
}
