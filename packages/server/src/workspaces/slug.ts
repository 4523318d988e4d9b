import { Refusal } from '../refusals.ts';

/** Checks the name of a workspace on the command line. Throws a `Refusal` for another form. */
export function parseSlug(slug: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) return slug;
  throw new Refusal('slug_malformed', { slug });
}
