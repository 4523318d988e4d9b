import { connectorAddress } from '../../../people/connectors/address.ts';
import { isLiveGrant } from '../../../people/connectors/grants.ts';
import type { Grant } from '../../../people/connectors/grants.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { ago } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { PageContext } from '../../request/page-context.ts';

/**
 * How to connect an assistant, and the connected ones, each with a form that ends it. Nothing where
 * assistants cannot sign in.
 */
export function connections(
  { publicUrl, connectors, clock }: PageContext,
  grants: readonly Grant[],
  {
    action,
    of,
  }: {
    /** The path of the form. */
    action: string;
    /** What the list is not about already: the person, or the workspace. */
    of: { readonly title: string; readonly cell: (grant: Grant) => Content };
  },
): Content {
  const nowMs = clock();
  const live = grants.filter((grant) => isLiveGrant(grant, nowMs));
  const address = connectorAddress(publicUrl(), connectors);
  if (address === undefined && live.length === 0) return undefined;
  return html`<section>
    <h2>Connected assistants</h2>
    ${
      address !== undefined &&
      html`<p class="hint">
          Claude, ChatGPT and others take this address as that of a connector, and send you here to
          sign in. They read what a viewer reads, and change nothing.
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
          {
            title: 'Last used, to the hour',
            cell: ({ used_at: at, created_at: since }) => ago(at ?? since, nowMs),
          },
          { title: 'Change', cell: (grant) => endForm(grant, action), isAction: true },
        ],
        empty: 'No assistant is connected.',
      },
      live,
    )}
  </section>`;
}

function endForm({ id, client_name: name }: Grant, action: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="connection" value="${id}" />
    <button class="button small danger" aria-label="End the connection of ${name}">End</button>
  </form>`;
}
