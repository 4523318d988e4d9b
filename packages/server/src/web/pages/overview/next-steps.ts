import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { listKeys } from '../../../access/keys.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** Counting stops at this number, so that a page does not block the event loop for the API. */
const countMax = 1000;

/** One thing that a workspace needs. */
interface Step {
  readonly title: string;
  readonly has: number;
  readonly noun: string;
  readonly why: string;
  readonly next: Html;
}

/** Shows what a workspace has, what it still needs, and the next step. */
export async function nextSteps(context: WorkspaceContext): Promise<Html> {
  const steps = await findSteps(context);
  const nextStep = steps.find(({ has }) => has === 0);
  return html`<section class="card">
      <h2>What is here</h2>
      <dl class="figures">
        ${steps.map(
          ({ noun, has }) =>
            html`<div>
              <dt>${noun}</dt>
              <dd>${countWords(has)}</dd>
            </div>`,
        )}
      </dl>
    </section>
    <section class="card">
      <h2>${nextStep === undefined ? 'Everything is in place' : 'Next steps'}</h2>
      <ol class="steps">
        ${steps.map((step) => stepItem(step, step === nextStep))}
      </ol>
    </section>`;
}

function stepItem({ title, has, why, next }: Step, isNext: boolean): Html {
  const state = has > 0 ? 'done' : 'open';
  return html`<li class="${state}${isNext ? ' next' : ''}">
    <div>
      <strong>${title}</strong>${has > 0 && html` <span class="tag good">done</span>`}
      <p class="hint">${why}</p>
      ${has === 0 && next}
    </div>
  </li>`;
}

async function findSteps(context: WorkspaceContext): Promise<Step[]> {
  const { store, command } = context;
  const { id, slug } = context.workspace;
  const count = (table: 'prompts' | 'answers' | 'hits' | 'actions') =>
    countUpTo(store.reader, table, id);
  const subjects = await listSubjects(store.reader, id);
  const keys = (await listKeys(store, { workspaceId: id })).filter(
    (key) => key.revoked_at === null,
  );
  const type = (words: string): Html =>
    html`<pre tabindex="0"><code>${command(words)}</code></pre>`;
  const go = (page: string, words: string) => settingsButton(slug, page, words);
  return [
    {
      title: 'Track competitors',
      has: subjects.length - 1,
      noun: 'Competitors',
      why: 'Share of voice compares you with the names that are tracked.',
      next: go('subjects', 'Go to Subjects'),
    },
    {
      title: 'Import answers',
      has: await count('answers'),
      noun: 'Answers',
      why: 'Each answer of an engine is searched for you and your competitors.',
      next: go('data', 'Go to Data'),
    },
    {
      title: 'Find the gaps',
      has: await count('actions'),
      noun: 'Gaps',
      why: 'Where others are cited and you are not, with what to do about it.',
      next: html`<p class="actions"><a class="button" href="/w/${slug}/gaps">Go to Gaps</a></p>`,
    },
    {
      title: 'See which AI crawlers read your site',
      has: await count('hits'),
      noun: 'Crawler requests',
      why: 'They come from your access logs.',
      next: type(`overheard hits ingest access.log --workspace ${slug}`),
    },
    {
      title: 'Make an API key',
      has: keys.length,
      noun: 'Live keys',
      why: 'For dashboards, warehouses and assistants.',
      next: go('keys', 'Go to API keys'),
    },
  ];
}

function settingsButton(slug: string, page: string, words: string): Html {
  return html`<p class="actions">
    <a class="button" href="/w/${slug}/settings/${page}">${words}</a>
  </p>`;
}

/** Counts a workspace's rows up to `countMax`, or returns one more if there are more. */
async function countUpTo<Tables>(
  db: Kysely<Tables>,
  table: string,
  workspaceId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${countMax + 1}
    ) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

function countWords(count: number): string {
  const words = Math.min(count, countMax).toLocaleString('en-GB');
  return count > countMax ? `over ${words}` : words;
}
