import { workspacesOf } from '../../people/members.ts';
import { listWorkspaces } from '../../workspaces/workspaces.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import { html } from '../markup/html.ts';
import { noParameters } from '../request/no-parameters.ts';
import { workspacePage } from '../parts/workspace-page.ts';
import { personOf } from '../request/page-context.ts';
import type { Result, Route, PageContext } from '../request/page-context.ts';

/** The list of a person's workspaces. A person with only one is redirected to it. */
export const workspacesRoutes: readonly Route[] = [
  { method: 'GET', path: '/', role: 'user', run: show },
];

async function show(context: PageContext): Promise<Result> {
  noParameters(context);
  const workspaces = await ownWorkspaces(context);
  const [only, ...others] = workspaces;
  if (only !== undefined && others.length === 0) return { redirect: `/w/${only.slug}/` };
  const { user } = personOf(context);
  const content =
    only === undefined
      ? html`<section class="card empty">
          <h2>No workspace yet</h2>
          <p>
            A workspace is one brand with its competitors, prompts and keys.
            ${user.isOperator ? 'Make the first one on the server’s command line:' : 'Ask an admin to invite you to one.'}
          </p>
          ${user.isOperator && html`<pre tabindex="0"><code>${context.command('overheard workspace create acme --name "Acme Inc." --brand Acme --domain acme.com')}</code></pre>`}
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
  return { page: workspacePage(context, { title: 'Workspaces', content }) };
}

async function ownWorkspaces(context: PageContext): Promise<Workspace[]> {
  const { user } = personOf(context);
  const all = await listWorkspaces(context.store.reader);
  if (user.isOperator) return all;
  const ids = new Set(await workspacesOf(context.store.access, user.id));
  return all.filter(({ id }) => ids.has(id));
}
