/** A value in a sentence: quoted where it is text, and short however long it is. */
export function shortName(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const characters = [...value];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : value);
}
