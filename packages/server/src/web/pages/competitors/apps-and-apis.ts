import { shares, surfaceOf } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import { engineName } from '../../../values/engine.ts';
import { percent } from '../../../values/figure-words.ts';
import { changeCell, rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { story } from '../../parts/story.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { get } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { readView, runFilters } from '../../request/view.ts';

/** The page that compares apps with their APIs. */
export const appsAndApisRoute: WorkspaceRoute = get('/w/:slug/apps-and-apis', 'viewer', show, {
  dependsOn: () => null,
});

async function show(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const {
    engines,
    topics,
    topicsOf = '',
  } = await context.reports.read('appsAndApis', runFilters(view));
  const rows = [...engines, ...topics];
  if (isCsv) return csvOf(context, 'apps-and-apis', columnsOfFields(shares.fields), rows);
  const content = html`${story(sentence(engines))}
    <p class="sub">
      ${
        engines.length > 0
          ? 'Over the prompts that were put to both in these days, whatever the model and settings of each.'
          : 'Import answers of an app, such as chatgpt, and ask its API, chatgpt_api, the same prompts.'
      }
    </p>
    ${engines.length > 0 && table({ title: 'By engine', columns: columnsOf('Engine'), empty: '' }, engines)}
    ${topics.length > 0 && table({ title: `${engineName(topicsOf)} by topic`, columns: columnsOf('Topic'), empty: '' }, topics)}`;
  const choices = await context.reports.read('filters', {});
  // Of an app and its API, the app names both.
  const apps = choices.engines.filter((engine) => surfaceOf(engine) === 'app');
  const hasCsv = rows.length > 0;
  const controls = viewControls(context, view, { ...choices, engines: apps, hasCsv });
  const lead = `${periodWords(view.period)}, UTC`;
  return workspacePage(context, { title: 'Apps and APIs', lead, controls, content });
}

/** Which app differs from its API, and how; or that none does. */
function sentence(engines: readonly ShareRow[]): string {
  const isSure = ({ rate_verdict: verdict }: ShareRow) => verdict === 'up' || verdict === 'down';
  const [most] = engines
    .filter(isSure)
    .toSorted((one, other) => Math.abs(other.rate_change ?? 0) - Math.abs(one.rate_change ?? 0));
  if (most !== undefined) {
    const { engine, name, rate_compared: ofApp, rate_before: ofApi, rate_verdict: verdict } = most;
    return `${engineName(engine ?? '')} shows ${name} ${verdict === 'up' ? 'more' : 'less'} often in the app than through its API: in ${percent(ofApp ?? 0)} of answers against ${percent(ofApi ?? 0)}`;
  }
  if (engines.length === 0) return 'No prompt was put to both an app and its API';
  const isTold = engines.some(({ rate_verdict: verdict }) => verdict === 'within_chance');
  return isTold
    ? 'No app differs from its API beyond chance'
    : 'Too few prompts were put to both an app and its API to compare them';
}

function columnsOf(first: 'Engine' | 'Topic'): Columns<ShareRow> {
  return [
    {
      title: first,
      cell: ({ engine, tag }) => (engine === null ? (tag ?? '') : engineName(engine)),
    },
    {
      title: 'App',
      cell: ({ rate_compared: rate, runs_compared: runs }) => rateCell({ rate, runs }),
      isNumber: true,
    },
    {
      title: 'API',
      cell: ({ rate_before: rate }) => (rate === null ? '–' : percent(rate)),
      isNumber: true,
    },
    { title: 'App against API', cell: (row) => changeCell(row, 'rate') },
    { title: 'Prompts of both', cell: (row) => row.prompts_compared, isNumber: true },
  ];
}
