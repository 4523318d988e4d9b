import { connectorAddress } from '../../../people/connectors/address.ts';
import { endGrants, listGrants } from '../../../people/connectors/grants.ts';
import type { ListedGrant } from '../../../people/connectors/grants.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { ago, endTime } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import { readForm } from '../../request/forms.ts';
import { authorOf } from '../../request/page-context.ts';
import type { PageContext, Result } from '../../request/page-context.ts';

/** The connections that a page lists and ends: a person's own, or those of a workspace. */
type Owner = { readonly userId: string } | { readonly workspaceId: string };

/**
 * How to connect an assistant, and the connected ones, each with a form that ends it. Nothing where
 * assistants cannot sign in.
 */
export async function connections(
  { publicUrl, connectors, store, clock }: PageContext,
  owner: Owner,
  {
    action,
    of,
  }: {
    /** The path of the form. */
    action: string;
    /** What the list is not about already: the person, or the workspace. */
    of: { readonly title: string; readonly cell: (grant: ListedGrant) => Content };
  },
): Promise<Content> {
  const nowMs = clock();
  const grants = await listGrants(store.access, { ...owner, clock });
  const address = connectorAddress(publicUrl(), connectors);
  if (address === undefined && grants.length === 0) return undefined;
  return html`<section>
    <h2>Connected assistants</h2>
    ${
      address !== undefined &&
      html`<p class="hint">
          Add this address as a connector in Claude, ChatGPT or another assistant. It sends you here
          to sign in. It reads what a viewer reads, and changes nothing. A connection ends after 30
          days without use.
        </p>
        ${copyableText('connector-address', address.resource, 'The address of the tools')}`
    }
    ${table(
      {
        columns: [
          { title: 'Assistant', cell: ({ client_name: name }) => name },
          { title: 'Host', cell: ({ host }) => host },
          of,
          { title: 'Connected', cell: (grant) => ago(grant.created_at, nowMs) },
          { title: 'Last used, to the hour', cell: (grant) => ago(grant.used_at, nowMs) },
          { title: 'Ends', cell: (grant) => endTime(grant.expires_at, nowMs) },
          {
            title: 'Change',
            cell: ({ id, client_name: name }) =>
              buttonForm(action, { connection: id }, 'End', {
                look: 'small danger',
                label: `End the connection of ${name}`,
              }),
            isAction: true,
          },
        ],
        empty: 'No assistant is connected.',
      },
      grants,
    )}
  </section>`;
}

/** Ends the connection that a form names, if it is the owner's. */
export async function endConnection(
  context: PageContext,
  owner: Owner,
  { redirect }: { redirect: string },
): Promise<Result> {
  const { connection: id } = readForm(context.request.body, ['connection']);
  const author = authorOf(context);
  await context.store.access.transaction().execute((db) => endGrants(db, { id, ...owner }, author));
  return { redirect };
}
