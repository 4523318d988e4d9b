import { readOperatorFacts } from '../../reports/operator-facts.ts';
import type { OperatorFacts, WorkspaceFacts } from '../../reports/operator-facts.ts';
import type { RecentFailure } from '../../api/service/failure-log.ts';
import { plural } from '../../values/plural.ts';
import { engineName } from '../../values/engine.ts';
import { dollars } from '../../values/usd.ts';
import { version } from '../../version.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { facts } from '../parts/facts.ts';
import { ago } from '../parts/moment-words.ts';
import { table } from '../parts/table.ts';
import { workspacePage } from '../parts/workspace-page.ts';
import { noParameters } from '../request/parameters.ts';
import { get } from '../request/page-context.ts';
import type { PageContext, Result, Route } from '../request/page-context.ts';

/** The state of the installation, from what `/metrics` reads, too. */
export const operatorRoutes: readonly Route[] = [get('/operator', 'operator', show)];

async function show(context: PageContext): Promise<Result> {
  noParameters(context);
  const { store, clock, lastBackupMs, failures } = context;
  const nowMs = clock();
  const state = await readOperatorFacts(store, nowMs);
  const backupMs = await lastBackupMs?.();
  const growth = await context.growth?.();
  const counts = store.connections?.();
  const when = (ms: number | undefined, never: string): Content =>
    ms === undefined ? never : ago(new Date(ms).toISOString(), nowMs);
  const size = `${(state.databaseBytes / 1e6).toFixed(1)} MB`;
  const content = html`<section>
      ${facts([
        ['Version', version],
        ['Database', `${store.dialect === 'sqlite' ? 'Embedded' : 'PostgreSQL'}, ${size}`],
        [
          'Last backup',
          store.dialect === 'sqlite' && when(backupMs, 'none is kept: see --backups'),
        ],
        [
          'Growth',
          growth &&
            `${(growth.bytesPerDay / 1e6).toFixed(1)} MB a day: the disk is full in ${plural(growth.fullInDays, 'day')}`,
        ],
        ['Next question', state.questionMs !== undefined && momentOf(state.questionMs)],
        ['Next weekly message', state.messageMs !== undefined && momentOf(state.messageMs)],
        [
          'Connections',
          counts && `${counts.used} used, ${counts.idle} idle, ${counts.waiting} waiting`,
        ],
        ['Operators’ lists', when(state.listsMs, 'never fetched')],
        ['Asked today', countWords(state.readings)],
        [
          'Jobs',
          countWords(
            state.jobs.map(({ kind, ...job }) => ({ ...job, state: `${kind} ${job.state}` })),
          ),
        ],
      ])}
    </section>
    <section>
      <h2>Spent</h2>
      ${table(
        { caption: 'Spent', columns: spendColumns(state), empty: 'Nothing yet.' },
        state.spend.filter(({ period }) => period === 'month'),
      )}
    </section>
    ${failures !== undefined && failuresPart(failures, nowMs)}
    <section>
      <h2>Workspaces</h2>
      ${table<WorkspaceFacts>(
        {
          caption: 'Workspaces',
          empty: 'There is none yet.',
          columns: [
            {
              title: 'Workspace',
              cell: ({ slug, name }) => html`<a href="/w/${slug}">${name}</a>`,
            },
            { title: 'Newest answer', cell: ({ answerMs }) => when(answerMs, 'none') },
            { title: 'Log lines read', cell: ({ ingestMs }) => when(ingestMs, 'never') },
          ],
        },
        state.workspaces,
      )}
    </section>`;
  return workspacePage(context, { title: 'Operator', lead: 'How this installation is.', content });
}

/** `2026-11-20 12:30 UTC` */
function momentOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function failuresPart(failures: readonly RecentFailure[], nowMs: number): Html {
  return html`<section>
    <h2>Failed requests</h2>
    ${table<RecentFailure>(
      {
        caption: 'Failed requests',
        empty: 'None since this server started.',
        columns: [
          { title: 'When', cell: ({ at }) => ago(at, nowMs) },
          { title: 'Request', cell: ({ requestId }) => html`<code>${requestId}</code>` },
          { title: 'Why', cell: ({ words }) => words },
        ],
      },
      failures,
    )}
  </section>`;
}

function countWords(counts: ReadonlyArray<{ state: string; count: number }>): string {
  return counts.map(({ state, count }) => `${count} ${state}`).join(', ') || 'none';
}

type Spend = OperatorFacts['spend'][number];

function spendColumns({ spend, engines }: OperatorFacts) {
  const offReasonOf = (scope: string) => engines.find(({ name }) => name === scope)?.offReason;
  const amount = ({ spentUsd, capUsd }: Spend): Content =>
    html`${dollars(spentUsd)}${capUsd !== null && html` of at most ${dollars(capUsd)}`}`;
  return [
    {
      title: 'Engine',
      cell: ({ scope }: Spend) => {
        const offReason = offReasonOf(scope) ?? undefined;
        return html`${scope === '' ? 'All engines' : engineName(scope)}
        ${offReason !== undefined && html`<span class="tag">off: ${offReason}</span>`}`;
      },
    },
    {
      title: 'Today',
      cell: ({ scope }: Spend) => {
        const day = spend.find((each) => each.scope === scope && each.period === 'day');
        return day === undefined ? '' : amount(day);
      },
    },
    { title: 'This month', cell: amount },
  ];
}
