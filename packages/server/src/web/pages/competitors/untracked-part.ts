import { keepUntracked } from '../../../answers/untracked/find-untracked.ts';
import type { UntrackedName } from '../../../answers/untracked/find-untracked.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { allows } from '../../../people/roles.ts';
import { amount } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { listDismissed } from '../../../workspaces/dismissed-names.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { jobPart } from '../../parts/job-part.ts';
import { dayWords } from '../../parts/moment-words.ts';
import { counts, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** Names and sites that answers repeat and nobody tracks, as the last search found them. */
export async function untrackedPart(
  context: WorkspaceContext,
  job: Job | undefined,
): Promise<Html> {
  const mayChange = allows(context.role, 'editor');
  const { slug } = context.workspace;
  return html`<section class="panel" id="untracked">
    <h2>Names that nobody tracks</h2>
    <p class="hint">
      Names and sites that occur in at least 3 of the latest answers and that you do not track. Rules
      find them, so some of them are not competitors.
    </p>
    ${job !== undefined ? await foundPart(context, job, mayChange) : !mayChange && html`<p>Nobody has looked for them yet. An editor can.</p>`}
    ${mayChange && buttonForm(`/w/${slug}/competitors/look`, { form: newId(context.clock) }, job === undefined ? 'Look for names' : 'Look again', { look: '' })}
    ${await dismissedPart(context, mayChange)}
  </section>`;
}

async function foundPart(
  context: WorkspaceContext,
  job: Job,
  mayChange: boolean,
): Promise<Content> {
  const { outcome, endedAt } = job;
  if (outcome === undefined || !('result' in outcome)) {
    const title = 'Looking for names that nobody tracks';
    return jobPart(context, job, { title, done: '', lostAdvice: 'Its server ended. Look again.' });
  }
  const { answers, found } = outcome.result;
  const { id } = context.workspace;
  const untracked = await keepUntracked(
    context.store.reader,
    id,
    Array.isArray(found) ? found : [],
  );
  const when = endedAt === null ? '' : `, ${dayWords(endedAt)}, ${endedAt.slice(11, 16)} UTC`;
  const empty = 'No name and no site recurs that is neither tracked nor dismissed.';
  const columns = columnsOf(context, mayChange);
  return html`<p>Found in the latest ${amount(Number(answers), 'counted answer')}${when}.</p>
    ${table({ caption: 'Names that nobody tracks', columns, empty }, untracked)}`;
}

function columnsOf(context: WorkspaceContext, mayChange: boolean): Columns<UntrackedName> {
  const columns: Columns<UntrackedName> = [
    {
      title: 'Name',
      cell: ({ name, site }) => html`<span data-foreign>${name ?? site ?? ''}</span>`,
    },
    { title: 'Site', cell: ({ site }) => site ?? '' },
    counts('Answers', ({ answers }) => answers),
    {
      title: 'Example',
      cell: ({ example: { sentence, url } }) => html`<q>${sentence ?? url ?? ''}</q>`,
    },
  ];
  if (!mayChange) return columns;
  return [...columns, { title: 'Decide', cell: (row) => decide(context, row) }];
}

function decide(context: WorkspaceContext, { name, site }: UntrackedName): Html {
  const { slug } = context.workspace;
  const called = name ?? site ?? '';
  const typed = new URLSearchParams({ name: called, ...(site !== null && { domain: site }) });
  return html`<div class="actions">
    <a
      class="button small"
      href="/w/${slug}/settings/subjects/new?${typed.toString()}"
      aria-label="Track ${called}">Track</a>
    ${dismissForm(context, called, { wanted: 'dismiss', words: 'Dismiss' })}
  </div>`;
}

function dismissForm(
  context: WorkspaceContext,
  name: string,
  { wanted, words }: { wanted: 'dismiss' | 'restore'; words: string },
): Html {
  return html`<form method="post" action="/w/${context.workspace.slug}/competitors/dismiss">
    <input type="hidden" name="name" value="${name}" />
    <button class="button small" name="do" value="${wanted}" aria-label="${words}: ${name}">
      ${words}
    </button>
  </form>`;
}

async function dismissedPart(context: WorkspaceContext, mayChange: boolean): Promise<Content> {
  const dismissed = await listDismissed(context.store.reader, context.workspace.id);
  if (dismissed.length === 0) return undefined;
  return html`<details>
    <summary>${amount(dismissed.length, 'dismissed name')}</summary>
    <ul class="rows">
      ${dismissed.map(
        ({ name, dismissed_at: at }) =>
          html`<li>
            <span><span data-foreign>${name}</span>, dismissed on ${dayWords(at)}</span>
            ${mayChange && dismissForm(context, name, { wanted: 'restore', words: 'Suggest again' })}
          </li>`,
      )}
    </ul>
  </details>`;
}
