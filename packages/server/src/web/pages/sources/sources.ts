import { sourceKinds, sources } from '@overheard/contract';
import { z } from 'zod';
import { plural } from '../../../values/plural.ts';
import { sampleNote } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import { pageLinks } from '../../parts/page-links.ts';
import { pick } from '../../parts/pick.ts';
import { tabs } from '../../parts/tabs.ts';
import { titleLine } from '../../parts/title-line.ts';
import { viewControls } from '../../parts/view-controls.ts';
import type { Filter } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import { forMembers, get, mayShowTexts, pathPart, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { kindWords, sourceColumns } from './source-columns.ts';
import { allows } from '../../../people/roles.ts';
import { readSourceKinds } from '../../../storage/queries/read-source-kinds.ts';
import { setSourceKind } from '../../../workspaces/source-kinds.ts';
import { siteOf } from '../../../values/sites/site.ts';
import { hostOf } from '../../../values/sites/web-host.ts';
import { selectField } from '../../parts/fields.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { notFound, unreadableForm } from '../../request/page-fault.ts';

/**
 * The pages of sources: cited sites and pages, and the pages of one site.
 */
export const sourcesRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/sources', 'viewer', (context) => showSources(context), { dependsOn: () => '' }),
  get(
    '/w/:slug/sources/:site',
    'viewer',
    (context) => showSources(context, pathPart(context, 'site')),
    { dependsOn: () => '' },
  ),
  post(
    '/w/:slug/sources/:site/kind',
    'editor',
    'set the kind of a site that answers link',
    setKind,
  ),
];

export const sourceParameters = {
  by: sources.query.shape.by,
  owner: sources.row.shape.owner.optional(),
  kind: sources.row.shape.kind.optional(),
  /**
   * `gap`: only sources that answers cite together with a competitor but without the brand, most
   * such answers first.
   */
  sort: z.enum(['gap']).optional(),
  page: z.coerce.number().int().min(1).max(100).optional(),
};
type SourceParameters = z.infer<z.ZodObject<typeof sourceParameters>>;

const rowsOfPage = 100;

/** Shows the list of sites, or the pages of one site. */
export async function showSources(context: WorkspaceContext, site?: string): Promise<Result> {
  const { view, parameters, isCsv } = readView(context, sourceParameters);
  const by = site === undefined ? (parameters.by ?? 'site') : 'page';
  const { owner, kind, sort } = parameters;
  const { page = 1 } = parameters;
  const start = (page - 1) * rowsOfPage;
  const part = isCsv ? { start: 0 } : { start, limit: rowsOfPage };
  const query = { ...runFilters(view), by, site, owner, kind, sort, ...part };
  const { runs, total, rows } = await context.reports.read('sources', query);
  if (isCsv) {
    // A page's title comes from an answer.
    const fields = sources.fields.filter((field) => field !== 'title' || mayShowTexts(context));
    return csvOf(context, 'sources', columnsOfFields(fields), rows);
  }
  const left = total - start - rowsOfPage;
  const filters = await context.reports.read('filters', {});
  const linkParameters = { by: parameters.by, owner, kind, sort };
  const path = site === undefined ? 'sources' : `sources/${encodeURIComponent(site)}`;
  const controls = viewControls(context, view, {
    ...filters,
    hasCsv: true,
    parameters: linkParameters,
    filters: site === undefined ? [ownerFilter(owner), kindFilter(kind)] : [],
  });
  const content = html`<section>
      ${titleLine(site === undefined ? 'What answers link' : `Pages of ${site}`, rows.length > 0 && html`${sampleNote([runs])}; a gap is an answer with a competitor and without you`)}
      ${choices(context, { path, parameters, isSite: site !== undefined })}
      ${table(
        {
          caption: 'Sources',
          columns: sourceColumns(context, { by, runs }),
          empty:
            runs === 0
              ? 'No counted answer fits. Choose other days or filters.'
              : 'No source fits. Choose other days or filters.',
        },
        rows,
      )}
      ${
        site !== undefined &&
        forMembers(
          context,
          html`<p><a href="${viewLink(context, 'answers', { site })}">Answers that link ${site}</a></p>`,
        )
      }
      ${pageLinks(page, left > 0 ? plural(left, 'more source') : undefined, (number) => viewLink(context, path, { ...linkParameters, page: number }))}
      ${site !== undefined && rows.every((row) => row.owner === 'other') && (await sourceKindForm(context, site))}
    </section>
    ${site === undefined && forMembers(context, html`<p><a href="${viewLink(context, 'crawlers', { by: 'cited' })}#never-cited">Your own pages that bots read and no answer links</a></p>`)}`;
  const days = `${periodWords(view.period)}, UTC`;
  const lead =
    site === undefined
      ? days
      : html`<a href="${viewLink(context, 'sources')}">All sources</a>, ${days}`;
  return workspacePage(context, { title: site ?? 'Sources', lead, controls, content });
}

function ownerFilter(value: SourceParameters['owner']): Filter {
  const options = [
    ['brand', 'Yours'],
    ['competitor', 'Competitors’'],
    ['other', 'Others’'],
  ] as const;
  return { name: 'owner', label: 'Owner', all: 'All owners', value, options };
}

function kindFilter(value: SourceParameters['kind']): Filter {
  const options = Object.entries(kindWords);
  return { name: 'kind', label: 'Kind', all: 'All kinds', value, options };
}

/** Links that group and order the list. */
function choices(
  context: WorkspaceContext,
  { path, parameters, isSite }: { path: string; parameters: SourceParameters; isSite: boolean },
): Html {
  const { by, owner, kind, sort } = parameters;
  const tab = (words: string, isOn: boolean, changes: ViewChanges) => ({
    words,
    isOn,
    href: viewLink(context, path, { by, owner, kind, sort, ...changes }),
  });
  const order = tabs('Order', [
    tab('Most linked', sort === undefined, { sort: undefined }),
    tab('Cites a competitor, not you', sort === 'gap', { sort: 'gap' }),
  ]);
  if (isSite) return order;
  const groups = [
    tab('Sites', by !== 'page', { by: undefined }),
    tab('Pages', by === 'page', { by: 'page' }),
  ];
  return html`${order} ${pick('Group', groups)}`;
}

/** The kinds that a person may choose: who owns a page is no choice. */
const kindNames = sourceKinds.filter((kind) => kind in kindWords);

/** The form with which an editor says what kind of site this is. */
async function sourceKindForm(context: WorkspaceContext, site: string): Promise<Content> {
  if (!allows(context.role, 'editor')) return undefined;
  const kinds = await readSourceKinds(context.store.reader, context.workspace.id);
  const options = [['', 'as recognised'], ...Object.entries(kindWords)] as const;
  return forMembers(
    context,
    html`<form method="post" class="inline" action="${placeOf(context, site)}/kind">
      ${selectField(emptyForm, { name: 'kind', label: 'Kind of site', options, value: kinds.get(site) ?? '' })}
      <button class="button small">Save</button>
    </form>`,
  );
}

async function setKind(context: WorkspaceContext): Promise<Result> {
  const site = pathPart(context, 'site');
  if (siteOf(hostOf(`https://${site}/`) ?? '') !== site) throw notFound();
  const typed = readForm(context.request.body, ['kind']);
  const kind = kindNames.find((name) => name === typed.kind);
  if (kind === undefined && typed.kind !== '') {
    throw unreadableForm('Open the page of the site again, and choose a kind there.');
  }
  await setSourceKind(context.store, context.workspace.id, { site, kind });
  await note(context, 'source_kind_set', { name: `${site}: ${kind ?? 'as recognised'}` });
  return { redirect: placeOf(context, site) };
}

function placeOf({ workspace: { slug } }: WorkspaceContext, site: string): string {
  return `/w/${slug}/sources/${encodeURIComponent(site)}`;
}
