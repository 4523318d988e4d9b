import type { KeptPage } from '../../../reports/robots/what-if.ts';
import { thousands } from '../../../values/plural.ts';
import { addDays, utcDay } from '../../../values/time/utc-day.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { linesField, selectField } from '../../parts/fields.ts';
import { fold } from '../../parts/fold.ts';
import { shortDay } from '../../parts/moment-words.ts';
import { counts, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { address } from './crawl-columns.ts';

const rowsMax = 100;
const days = 28;

/** Asks which stored requests a robots.txt would have kept away. Stores nothing. */
export const whatIfRoute: WorkspaceRoute = post(
  '/w/:slug/crawlers/what-if',
  'viewer',
  'ask which requests a robots.txt would have kept away',
  showWhatIf,
  {
    // A crawler reads 500 KiB of a file, and a form may write a character as three.
    formBytesMax: 1536 * 1024,
  },
);

/** The form of that question. Nothing without a request whose site is known. */
export async function whatIfForm(
  context: WorkspaceContext,
  form: FormState = emptyForm,
): Promise<Content> {
  const hosts = await context.reports.read('names', { of: 'host' });
  if (hosts.length === 0) return undefined;
  const fields = html`<form method="post" action="/w/${context.workspace.slug}/crawlers/what-if">
    ${selectField(form, { name: 'host', label: 'Site', options: hosts.map((host) => [host, host] as const) })}
    ${linesField(form, { name: 'robots', label: 'robots.txt', hint: 'Paste the whole file. It is not stored.' })}
    <p class="actions"><button class="button">Ask</button></p>
  </form>`;
  return fold('What would another robots.txt have kept away?', fields, {
    isOpen: form !== emptyForm,
  });
}

async function showWhatIf(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['host', 'robots']);
  const title = 'What a robots.txt would have kept away';
  if (!(await context.reports.read('names', { of: 'host' })).includes(typed.host)) {
    const faults = { host: 'No request to this site is stored. Choose one of the list.' };
    const content = await whatIfForm(context, { typed, faults });
    return workspacePage(context, { title, content, status: 400 });
  }
  const to = utcDay(context.clock());
  const query = { host: typed.host, content: typed.robots, from: addDays(to, 1 - days), to };
  const { pages, hits, kept_away: kept, unclear } = await context.reports.read('whatIf', query);
  const content = html`<p>
      Of ${thousands(hits)} requests to ${typed.host} in ${days} days it would have kept away
      ${kept === 0 ? 'none' : thousands(kept)}.
      ${unclear > 0 && html`For ${thousands(unclear)} more the query would decide, which is not kept.`}
    </p>
    ${kept > 0 && pagesTable(context, pages)} ${await whatIfForm(context, { typed, faults: {} })}`;
  const lead = 'As if every bot had obeyed it. Forged requests are left out.';
  return workspacePage(context, { title, lead, content });
}

function pagesTable({ clock }: WorkspaceContext, pages: readonly KeptPage[]): Html {
  const columns: Columns<KeptPage> = [
    { title: 'Bot', cell: ({ bot_name: name }) => name },
    { title: 'Page', cell: ({ path }) => address({ host: null, path }) },
    counts('Requests', ({ hits }) => hits),
    { title: 'Last', cell: ({ last_at: at }) => shortDay(at, clock()) },
  ];
  return table({ caption: 'Kept away', columns, empty: '' }, pages.slice(0, rowsMax));
}
