import type { SourceRow } from '@overheard/contract';
import { thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { shortDay } from '../../parts/moment-words.ts';
import { counts } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewLink } from '../../request/view.ts';
import { mayShowTexts } from '../../request/page-context.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const ownerWords = { brand: 'you', competitor: 'a competitor', other: '' } as const;

/** The owner of a source, as a tag. */
export function ownerTag(owner: SourceRow['owner']): Content {
  return owner !== 'other' && html`<span class="tag">${ownerWords[owner]}</span>`;
}

/** The words of the kinds that a source of nobody that is tracked may have. */
export const kindWords = {
  review: 'Reviews',
  list: 'Lists',
  news: 'News and magazines',
  reference: 'Reference',
  forum: 'Forums',
  video: 'Video',
  social: 'Social media',
  shop: 'Shops',
  authority: 'Public bodies',
  docs: 'Documentation',
  other: 'Other',
} as const satisfies Readonly<Partial<Record<SourceRow['kind'], string>>>;

function kindTag(kind: SourceRow['kind']): Content {
  const isShown = kind in kindWords && kind !== 'other';
  return isShown && html`<span class="tag">${kind}</span>`;
}

/** The columns of sources. Each count is out of all `runs`. */
export function sourceColumns(
  context: WorkspaceContext,
  { by, runs }: { by: 'site' | 'page'; runs: number },
): Columns<SourceRow> {
  const day = (at: string) => shortDay(at, context.clock());
  return [
    {
      title: by === 'site' ? 'Site' : 'Page',
      cell: (row) => {
        const address = viewLink(context, `sources/${encodeURIComponent(row.site)}`);
        const link =
          by === 'site' ? html`<a href="${address}">${row.site}</a>` : pageLink(context, row);
        return html`${link} ${row.owner === 'other' ? kindTag(row.kind) : ownerTag(row.owner)}`;
      },
    },
    {
      title: 'Answers',
      cell: (row) =>
        html`<span class="figure" data-n="${runs}"><b>${thousands(row.runs)}</b></span>`,
      isNumber: true,
    },
    counts('With you', (row) => row.brand_runs),
    counts('With a competitor', (row) => row.competitor_runs),
    counts('Gaps', (row) => row.gap_runs),
    { title: 'Last linked', cell: (row) => day(row.last_cited_at) },
    { title: 'Last read by bots', cell: ({ last_crawled_at: at }) => at !== null && day(at) },
  ];
}

/** A link to a page. Its title comes from an answer, so the address is shown, too. */
export function pageLink(context: WorkspaceContext, { url, title }: SourceRow): Content {
  return html`${mayShowTexts(context) && title !== null && title !== '' && html`<span data-foreign>${title}</span><br />`}<a
      data-foreign
      href="${url ?? ''}"
      rel="noreferrer">${url ?? ''}</a>`;
}
