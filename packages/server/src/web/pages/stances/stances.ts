import { stances } from '@overheard/contract';
import { allows } from '../../../people/roles.ts';
import { kappaWords, stanceWords } from '../../../reports/stances/stance-words.ts';
import type { StancePage } from '../../../reports/stances/stance-page.ts';
import { amount } from '../../../values/plural.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { story } from '../../parts/story.ts';
import { columnsOfFields, csvOf } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { forMembers, get, mayShowTexts } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { readView, runFilters } from '../../request/view.ts';
import { checkRoutes } from './check-page.ts';
import { judgeRoutes } from './judge-page.ts';
import { brandQuotesPart, quotesPart, warningsPart } from './quotes-part.ts';
import { purposesPart, subjectsPart, topicsPart } from './tables.ts';

/** The page of how answers present the brand and its competitors. */
export const stancesRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/stances', 'viewer', showStances, { dependsOn: () => '' }),
  ...checkRoutes,
  ...judgeRoutes,
];

export async function showStances(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context, {});
  const report = await context.reports.read('stances', runFilters(view));
  if (isCsv) {
    const { subjects, topics, purposes } = report;
    const fields = stances.fields.filter((field) => field !== 'quotes');
    const rows = [...subjects, ...topics, ...(mayShowTexts(context) ? purposes : [])];
    return csvOf(context, 'stances', columnsOfFields(fields), rows);
  }
  const filters = await context.reports.read('filters', {});
  const hasCsv = report.subjects.length > 0;
  const content = report.judged === null ? nothingPart(context) : figuresPart(context, report);
  return workspacePage(context, {
    title: 'How you are presented',
    lead: `${periodWords(view.period)}, UTC`,
    action:
      allows(context.role, 'admin') &&
      html`<a class="button small" href="/w/${context.workspace.slug}/stances/judge">The judge</a>`,
    controls: viewControls(context, view, { ...filters, hasCsv }),
    content,
  });
}

function figuresPart(context: WorkspaceContext, report: StancePage): Content {
  const { judged, subjects, surface } = report;
  if (judged === null) return undefined;
  const { check, judge } = judged;
  const words = stanceWords(subjects, check);
  const [{ runs } = { runs: 0 }] = subjects;
  const place = surface === 'app' ? 'of apps' : 'got through APIs';
  if (subjects.length === 0) return story(words);
  return html`${story(words, 'sample')}
    <p class="sub">
      Of a sample of <span id="sample" data-sample="${runs} ${runs}">${amount(runs, 'answer')}</span> ${place}, judged by ${engineName(judge)}
      each with a quote. ${check.labels > 0 && `The judge and a person: ${kappaWords(check)}.`}
      ${!check.isTrusted && checkButton(context)}
    </p>
    ${
      check.isTrusted
        ? [
            subjectsPart(context, report),
            purposesPart(context, report),
            topicsPart(context, report),
            brandQuotesPart(context, report),
            warningsPart(context, report),
          ]
        : quotesPart(context, report)
    }`;
}

function checkButton(context: WorkspaceContext): Content {
  if (!allows(context.role, 'editor')) {
    return forMembers(context, 'An editor can check it.');
  }
  return html`<a class="button primary small" href="/w/${context.workspace.slug}/stances/check">Check the judge</a>`;
}

function nothingPart(context: WorkspaceContext): Content {
  return html`${story('Nobody has judged yet how answers present you')}
    <p class="sub">
      An engine of yours can read a sample of the answers that cite you and say of each whether it
      recommends you, also names you, or warns against you, with a quote.
      ${forMembers(context, allows(context.role, 'admin') ? 'It costs money, and is off until you set a budget.' : 'An admin can switch it on.')}
    </p>
    ${allows(context.role, 'admin') && html`<p class="actions"><a class="button primary" href="/w/${context.workspace.slug}/stances/judge">See what it costs</a></p>`}`;
}
