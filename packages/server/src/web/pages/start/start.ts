import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { listMembers } from '../../../people/members.ts';
import { allows } from '../../../people/roles.ts';
import { engineName } from '../../../values/engine.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { get } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { noParameters } from '../../request/parameters.ts';

/** Counting stops at this number, so that a page does not block the event loop for the API. */
const countMax = 1000;

/** One step from an empty workspace to its first figures. Its state comes from the data. */
export interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly isOptional?: boolean;
  /** What is there, or why the step is worth it. */
  readonly words: Content;
  readonly link: { readonly path: string; readonly words: string } | undefined;
}

/** Finds what a workspace has, and what it still needs. */
export async function findSteps(context: WorkspaceContext): Promise<readonly Step[]> {
  const { store, clock, workspace } = context;
  const { id } = workspace;
  const count = (table: 'prompts' | 'answers' | 'hits') => countUpTo(store.reader, table, id);
  const competitors = (await listSubjects(store.reader, id)).filter(
    (subject) => subject.subject_type === 'competitor',
  );
  const { engines, prompts: on } = await context.reports.read('askingPrice', { nowMs: clock() });
  const prompts = await count('prompts');
  const answers = await count('answers');
  const hits = await count('hits');
  const members = (await listMembers(store.access, id)).length;
  const isOperator = allows(context.role, 'operator');
  const way = (path: string, present: number, again: string, first: string) => ({
    path,
    words: present > 0 ? again : first,
  });
  return [
    {
      title: 'Competitors',
      isDone: competitors.length > 0,
      words:
        competitors.length > 0
          ? html`${namesOf(competitors)} ${competitors.length === 1 ? 'is' : 'are'} compared with ${workspace.name}.`
          : 'A share of voice compares you with the names that are tracked.',
      link: way('settings/subjects', competitors.length, 'Change', 'Add competitors'),
    },
    {
      title: 'Prompts',
      isDone: prompts > 0,
      words:
        prompts > 0
          ? `${countWords(prompts, 'question')}, ${thousands(on)} of them switched on to be asked.`
          : 'The questions that your buyers put to ChatGPT and the others.',
      link: way('start/prompts', prompts, 'Choose more', 'Choose prompts'),
    },
    {
      title: 'Engines',
      isDone: engines.length > 0,
      words:
        engines.length > 0
          ? `${engines.map(({ engine }) => engineName(engine)).join(', ')}: ready on this server.`
          : isOperator
            ? 'The APIs of ChatGPT and others, with your keys, or a model on a machine of your own.'
            : 'None is set up yet. Ask the operator of this server for one.',
      link: isOperator ? way('/engines', engines.length, 'Change', 'Add an engine') : undefined,
    },
    {
      title: 'First answers',
      isDone: answers > 0,
      words: html`${
        answers > 0
          ? html`${countWords(answers, 'answer')} here. `
          : 'Ask every prompt once and watch the answers come in. '
      }Or <a href="/w/${workspace.slug}/settings/data">import answers you already have</a>.`,
      link: way('start/answers', answers, 'Ask again', 'Ask now'),
    },
    {
      title: 'Access log',
      isDone: hits > 0,
      isOptional: true,
      words: html`Shows which AI crawlers read your site, and which pages refuse them. No log file?
        <a href="/w/${workspace.slug}/settings/receivers">Your host can send its lines</a>.`,
      link: way('crawlers', hits, 'Crawlers', 'Add a log'),
    },
    {
      title: 'Colleagues',
      isDone: members > 1,
      isOptional: true,
      words: 'Invite people, or send a link that needs no account.',
      link: { path: 'settings/members', words: 'Invite' },
    },
  ];
}

/** The list of steps, with the next one marked. */
export function stepsPart({ workspace }: WorkspaceContext, steps: readonly Step[]): Html {
  const next = nextStep(steps);
  return html`<section>
    <ol class="rows">
      ${steps.map((step, index) => {
        const { title, isDone, isOptional = false, words, link } = step;
        const look = step === next ? 'next' : isDone ? 'done' : 'open';
        return html`<li class="${look}">
          <span class="step" aria-hidden="true">${isDone ? '✓' : index + 1}</span>
          <div class="what">
            <b>${title}</b>${isDone && html` <span class="tag good">done</span>`}
            ${isOptional && !isDone && html`<span class="tag">optional</span>`}
            <p>${words}</p>
          </div>
          ${
            link !== undefined &&
            html`<p class="tail">
              <a
                class="button small${step === next ? ' primary' : ''}"
                href="${link.path.startsWith('/') ? link.path : `/w/${workspace.slug}/${link.path}`}"
                >${link.words}</a
              >
            </p>`
          }
        </li>`;
      })}
    </ol>
  </section>`;
}

/** The first step that is not done; an optional one only after all others. */
export function nextStep(steps: readonly Step[]): Step | undefined {
  const open = steps.filter(({ isDone }) => !isDone);
  return open.find(({ isOptional = false }) => !isOptional) ?? open[0];
}

function namesOf(subjects: ReadonlyArray<{ readonly name: string }>): string {
  const names = subjects.slice(0, 4).map(({ name }) => name);
  const left = subjects.length - names.length;
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(', ');
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

function countWords(count: number, noun: string): string {
  return count > countMax ? `Over ${amount(countMax, noun)}` : amount(count, noun);
}

/** The page of the first steps: in any order, each with its state. */
export const startRoutes: readonly WorkspaceRoute[] = [get('/w/:slug/start', 'viewer', show)];

async function show(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const steps = await findSteps(context);
  const content = html`${stepsPart(context, steps)}
    <section>
      <h2>What you will know</h2>
      <ul>
        <li>Today: what each engine says about ${context.workspace.name}, word for word.</li>
        <li>In a week: how often it is named beside each competitor, and the first gaps to close.</li>
        <li>In a month: what really changed. Overheard tells it from chance, and says so when it cannot.</li>
      </ul>
    </section>`;
  return workspacePage(context, { title: 'Getting started', lead: leadWords(steps), content });
}

/** How far the workspace is, and what comes next. */
export function leadWords(steps: readonly Step[]): string {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = nextStep(steps);
  if (next === undefined) return 'Everything is in place.';
  return `${done} of ${steps.length} steps done. Next: ${next.title.toLowerCase()}.`;
}
