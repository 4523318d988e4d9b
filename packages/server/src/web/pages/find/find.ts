import { z } from 'zod';
import { findLengthMax, findLengthMin } from '../../../reports/find.ts';
import type { FoundItems } from '../../../reports/find.ts';
import { engineName } from '../../../values/engine.ts';
import { foldCase } from '../../../values/fold-case.ts';
import { printable } from '../../../values/printable.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { withoutSigns } from '../../markup/without-signs.ts';
import { fewDayWords } from '../../parts/moment-words.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readParameters } from '../../request/parameters.ts';
import { get } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { ownWorkspaces } from '../workspaces/workspaces.ts';

/** Finds workspaces, competitors, prompts and answers by a part of their text. */
export const findRoutes: readonly WorkspaceRoute[] = [get('/w/:slug/find', 'viewer', show)];

const parameters = z.object({ q: z.string().max(findLengthMax).optional() });
const workspacesMax = 8;

async function show(context: WorkspaceContext): Promise<Result> {
  const text = readParameters(context, parameters, { mayBeEmpty: true }).q?.trim() ?? '';
  const { slug } = context.workspace;
  const content = html`<section aria-label="Find">
    <form method="get" action="/w/${slug}/find" role="search">
      <input type="search" name="q" value="${text}" maxlength="${findLengthMax}" aria-label="Find" data-key="/" autofocus /><button class="unseen">Find</button>
    </form>
    <div id="found" data-found>${text.length < findLengthMin ? html`<p class="hint">Type at least ${findLengthMin} characters.</p>` : await results(context, text)}</div>
  </section>`;
  const lead = 'Workspaces, competitors, prompts, and the latest answers';
  return workspacePage(context, { title: 'Find', lead, content });
}

async function results(context: WorkspaceContext, text: string): Promise<Html> {
  const { slug } = context.workspace;
  const found = await context.reports.read('found', { text });
  const workspaces = (await ownWorkspaces(context)).filter((each) =>
    foldCase(each.name).includes(foldCase(text)),
  );
  const groups = [
    part(
      'Competitors',
      found.competitors,
      ({ id, name }) => html`<a href="/w/${slug}/competitors/${id}">${name}</a>`,
    ),
    part(
      'Prompts',
      found.prompts,
      (prompt) =>
        html`<a href="/w/${slug}/prompts/${prompt.id}" lang="${prompt.language}">${printable(prompt.text, { lengthMax: 200 })}</a>`,
    ),
    part('Answers', found.answers, (answer) => answerLine(slug, answer)),
    part(
      'Workspaces',
      workspaces.slice(0, workspacesMax),
      (each) => html`<a href="/w/${each.slug}/">${each.name}</a>`,
    ),
  ];
  const isEmpty = groups.every((group) => group === undefined);
  return html`${isEmpty ? html`<p class="hint">Nothing has “${printable(text)}” in it.</p>` : groups}`;
}

function answerLine(
  slug: string,
  { id, engine, runAt, excerpt }: FoundItems['answers'][number],
): Html {
  return html`<a href="/w/${slug}/answers/${id}">${engineName(engine)}, ${fewDayWords(runAt)}</a>
    <span class="hint" data-foreign>${printable(withoutSigns(excerpt))}</span>`;
}

function part<Item>(
  title: string,
  items: readonly Item[],
  line: (item: Item) => Content,
): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<section aria-label="${title}">
    <h2>${title}</h2>
    <ul>
      ${items.map((item) => html`<li>${line(item)}</li>`)}
    </ul>
  </section>`;
}
