import { workspacesOf } from '../../people/members.ts';
import { listWorkspaces } from '../../workspaces/workspaces.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import { html } from '../markup/html.ts';
import { noParameters } from '../request/no-parameters.ts';
import { workspacePage } from '../parts/workspace-page.ts';
import { personOf } from '../request/visit.ts';
import type { Result, Route, Visit } from '../request/visit.ts';

/** The list of a person's workspaces. A person with only one is redirected to it. */
export const workspacesRoutes: readonly Route[] = [
  { method: 'GET', path: '/', role: 'user', run: show },
];

async function show(visit: Visit): Promise<Result> {
  noParameters(visit);
  const workspaces = await ownWorkspaces(visit);
  const [only, ...others] = workspaces;
  if (only !== undefined && others.length === 0) return { redirect: `/w/${only.slug}/` };
  const { user } = personOf(visit);
  const content =
    only === undefined
      ? html`<section class="card empty">
          <h2>No workspace yet</h2>
          <p>
            A workspace is one brand with its competitors, prompts and keys.
            ${user.isOperator ? 'Make the first one on the server’s command line:' : 'Ask an admin to invite you to one.'}
          </p>
          ${user.isOperator && html`<pre tabindex="0"><code>${visit.command('overheard workspace create acme --name "Acme Inc." --brand Acme --domain acme.com')}</code></pre>`}
        </section>`
      : html`<ul class="tiles">
          ${workspaces.map(
            ({ slug, name }) =>
              html`<li class="card">
                <a href="/w/${slug}/"><strong>${name}</strong></a>
                <p class="hint">${slug}</p>
              </li>`,
          )}
        </ul>`;
  return { page: workspacePage(visit, { title: 'Workspaces', content }) };
}

async function ownWorkspaces(visit: Visit): Promise<Workspace[]> {
  const { user } = personOf(visit);
  const all = await listWorkspaces(visit.store.reader);
  if (user.isOperator) return all;
  const ids = new Set(await workspacesOf(visit.store.access, user.id));
  return all.filter(({ id }) => ids.has(id));
}
