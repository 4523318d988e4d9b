/** The country of a locale, for engines that take a place: `{user_location: ...}`, or nothing. */
export function approximatePlace(locale: string): { user_location?: object } {
  const country = countryOf(locale);
  return country === undefined ? {} : { user_location: { type: 'approximate', country } };
}

/** `DE` of `de-DE`; undefined for regions that are larger than a country, such as `es-419`. */
export function countryOf(locale: string): string | undefined {
  const { region } = new Intl.Locale(locale);
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined;
}
