import { z } from 'zod';
import { eventTitles, listEvents } from '../../people/events.ts';
import type { ListedEvent } from '../../people/events.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import { dayWords } from '../parts/moment-words.ts';
import { table } from '../parts/table.ts';
import type { Columns } from '../parts/table.ts';
import { workspacePage } from '../parts/workspace-page.ts';
import { readParameters } from '../request/parameters.ts';
import { get } from '../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../request/page-context.ts';

const path = '/w/:slug/settings/history';
const rowsMax = 50;
const querySchema = z.object({
  before: z.uuid({ error: 'It must be the id of an event.' }).optional(),
});

/** The page of a workspace's history: who did what. */
export const historyRoutes: readonly WorkspaceRoute[] = [get(path, 'viewer', show)];

async function show(context: WorkspaceContext): Promise<Result> {
  const { before } = readParameters(context, querySchema);
  const { id: workspaceId, slug } = context.workspace;
  const rows = await listEvents(context.store.access, { workspaceId, before, limit: rowsMax + 1 });
  const events = rows.slice(0, rowsMax);
  const last = rows.length > rowsMax ? events.at(-1) : undefined;
  const content = html`<section>
    ${
      events.length === 0
        ? html`<h2>Nothing yet</h2>
            <p class="hint">
              Keys that are made, replaced or revoked here, invitations and roles will be listed.
            </p>`
        : table({ columns, empty: '' }, events)
    }
    ${
      last !== undefined &&
      html`<p class="actions">
        <a class="button" href="/w/${slug}/settings/history?before=${last.id}">Older</a>
      </p>`
    }
  </section>`;
  const lead = 'Who changed keys, names and people, newest first. Times are UTC.';
  return workspacePage(context, { title: 'History', lead, content });
}

const columns: Columns<ListedEvent> = [
  {
    title: 'When',
    cell: ({ at }) => html`<time datetime="${at}">${dayWords(at)}, ${at.slice(11, 16)}</time>`,
  },
  { title: 'Who', cell: ({ name }) => name ?? 'the server' },
  { title: 'What', cell: ({ kind, facts }) => html`${eventTitles[kind]}${factWords(facts)}` },
];

function factWords(facts: ListedEvent['facts']): Content {
  const { email, name, last_four: ending, before, role, status, assignee } = facts;
  const to = role ?? status ?? assignee;
  return html`${[
    name !== undefined && html` <strong>${name}</strong>`,
    ending !== undefined && html` <code>…${ending}</code>`,
    email !== undefined && html` <strong>${email}</strong>`,
    before !== undefined && html` from ${before}`,
    to !== undefined && html` ${before === undefined ? 'as' : 'to'} ${to}`,
  ]}`;
}
