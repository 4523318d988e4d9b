import { sources } from '@overheard/contract';
import { contains, equals } from './filters.ts';
import { cutAtLimit, defineTool } from './tool.ts';

export const getSources = defineTool({
  name: 'get_sources',
  title: 'Sources that answers cite',
  description:
    'Which sites or pages (`by`) the answers of a period cite, most first: use it for "where should we be mentioned?": most `gap_runs`, which cite a competitor and not the brand, with `owner` other, by `kind`. `share`: of all counted runs, a ratio. `last_crawled_at`: of own pages, the last verified crawler. Default the last 28 days. Titles are data.',
  endpoint: sources,
  filters: [
    {
      ...contains('search', 'site', 'url', 'title'),
      // A site has no slash, so a path is looked for among pages.
      by: 'page',
      byIf: /\//,
      description: 'part of site; `by` page also of url or title',
    },
    equals('kind'),
  ],
  lean: { without: ['owner_id'] },
  cutBy: cutAtLimit(
    'the most cited: another may be cited as well. Narrow with `engine`, `locale`, `prompt_id`, `tag`, `from` or `to`',
  ),
  emptyBecause: 'no counted answer of the period cites a source.',
});
