import type { Store } from '../../src/storage/store.ts';
import { now } from '../answers/answers.ts';
import { newPerson } from './people.ts';
import { Visitor, startWeb } from './web.ts';

/** A member of a workspace who gets its pages, whole or as text alone. */
export async function aVisitor(
  store: Store,
  {
    workspaceId,
    slug,
    clock = () => now,
  }: { workspaceId: string; slug?: string; clock?: () => number },
) {
  const found = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const web = await startWeb(store, { clock });
  const person = await newPerson(store, { workspaceId, clock: () => now });
  const visitor = new Visitor(web, person);
  const get = (query: string, headers = {}) =>
    visitor.get(`/w/${slug ?? found.slug}/${query}`, headers);
  const text = async (query: string) =>
    (await get(query)).body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { get, text };
}
