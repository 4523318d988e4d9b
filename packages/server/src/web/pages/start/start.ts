import { html } from '../../markup/html.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { noParameters } from '../../request/parameters.ts';
import { get } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { findSteps, nextStep, stepsPart } from './steps.ts';
import type { Step } from './steps.ts';

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
