import { findId } from '../../storage/queries/find-id.ts';
import { notFound } from '../request/page-fault.ts';
import { pathPart } from '../request/page-context.ts';
import type { WorkspaceRoute } from '../request/page-context.ts';

/** Short addresses, as reports and tools name them, by the first characters of a row's id. */
export const shortAddressRoutes: readonly WorkspaceRoute[] = [
  shortAddress('a', 'runs', 'answers'),
  shortAddress('p', 'prompts', 'prompts'),
  shortAddress('g', 'actions', 'gaps'),
];

function shortAddress(
  letter: string,
  table: 'runs' | 'prompts' | 'actions',
  page: string,
): WorkspaceRoute {
  return {
    method: 'GET',
    path: `/w/:slug/${letter}/:id`,
    role: 'viewer',
    run: async ({ store, workspace, ...context }) => {
      const word = pathPart(context, 'id');
      const id = await findId(store.reader, { table, workspaceId: workspace.id, word });
      if (id === undefined) throw notFound();
      return { redirect: `/w/${workspace.slug}/${page}/${id}` };
    },
    onRefusal: (_, { code }) => (code === 'id_ambiguous' ? notFound() : undefined),
  };
}
