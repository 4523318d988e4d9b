import type { Grant } from '../../../people/connectors/grants.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { ago } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';

/** Assistants that people have connected, each with a form that ends it. */
export function connections(
  grants: readonly Grant[],
  {
    action,
    nowMs,
    of,
  }: {
    /** The path of the form. */
    action: string;
    nowMs: number;
    /** What the list is not about already: the person, or the workspace. */
    of: { readonly title: string; readonly cell: (grant: Grant) => Content };
  },
): Html {
  return html`<section>
    <h2>Connected assistants</h2>
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
      grants,
    )}
  </section>`;
}

function endForm({ id, client_name: name }: Grant, action: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="connection" value="${id}" />
    <button class="button small danger" aria-label="End the connection of ${name}">End</button>
  </form>`;
}
