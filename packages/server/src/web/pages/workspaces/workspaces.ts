import { workspacesOf } from '../../../people/members.ts';
import { listOperators } from '../../../people/users/find-users.ts';
import { listWorkspaces } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { noParameters } from '../../request/no-parameters.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { personOf } from '../../request/page-context.ts';
import type { Result, Route, PageContext } from '../../request/page-context.ts';

/**
 * The list of a person's workspaces. A member of only one is redirected to it, and an operator
 * without any to the form that makes the first.
 */
export const workspacesRoutes: readonly Route[] = [
  { method: 'GET', path: '/', role: 'user', run: show },
];

async function show(context: PageContext): Promise<Result> {
  noParameters(context);
  const { isOperator } = personOf(context).user;
  const workspaces = await ownWorkspaces(context);
  const active = workspaces.filter(({ archived_at: at }) => at === null);
  const archived = workspaces.filter(({ archived_at: at }) => at !== null);
  const [only] = workspaces;
  if (only === undefined && isOperator) return { redirect: '/workspaces/new' };
  if (only !== undefined && active.length === 1 && workspaces.length === 1)
    return { redirect: `/w/${only.slug}/` };
  const content = html`${workspaces.length === 0 && (await noWorkspace(context))}
  ${active.length > 0 && tiles(active)}
  ${isOperator && html`<p class="actions"><a class="button" href="/workspaces/new">New workspace</a></p>`}
  ${
    archived.length > 0 &&
    html`<details>
      <summary>Archived</summary>
      ${tiles(archived)}
    </details>`
  }`;
  return { page: workspacePage(context, { title: 'Workspaces', content }) };
}

function tiles(workspaces: readonly Workspace[]): Html {
  return html`<ul class="tiles">
    ${workspaces.map(
      ({ slug, name }) =>
        html`<li class="panel">
          <a href="/w/${slug}/"><strong>${name}</strong></a>
          <p class="hint">${slug}</p>
        </li>`,
    )}
  </ul>`;
}

/** Says whom to ask for a workspace: only operators make them. */
async function noWorkspace(context: PageContext): Promise<Html> {
  const operators = await listOperators(context.store.access);
  return html`<section class="empty">
    <h2>No workspace yet</h2>
    <p>
      A workspace is one brand with its competitors, prompts and keys. Ask an operator to make one,
      or an admin to invite you to theirs.
    </p>
    <ul>
      ${operators.map(({ name, email }) => html`<li>${name} (<a href="mailto:${email}">${email}</a>)</li>`)}
    </ul>
  </section>`;
}

async function ownWorkspaces(context: PageContext): Promise<Workspace[]> {
  const { user } = personOf(context);
  const all = await listWorkspaces(context.store.reader);
  if (user.isOperator) return all;
  const ids = new Set(await workspacesOf(context.store.access, user.id));
  return all.filter(({ id }) => ids.has(id));
}
