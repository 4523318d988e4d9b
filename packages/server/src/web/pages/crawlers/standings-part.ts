import { voteWords } from '../../../crawlers/hits/site-standing.ts';
import type { SiteStanding } from '../../../crawlers/hits/site-standing.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { nameList } from '../../parts/name-list.ts';
import { table } from '../../parts/table.ts';

/** Says on which days a refuted request to each site counts as spoofed, and what proves that. */
export function standingsPart(standings: readonly SiteStanding[]): Html {
  const caption = 'What proves that a refuted request is spoofed';
  return html`<section>
    <h2>${caption}</h2>
    <p class="hint">
      Requests that are verified by address, of two operators or three networks, in the 30 days before
      and after: then the log has the addresses of clients. On other days, and behind an address that
      visitors share, a refuted request stays unverified.
    </p>
    ${table<SiteStanding>(
      {
        caption,
        empty: '',
        columns: [
          { title: 'Site', cell: ({ domain }) => domain ?? 'All other hosts' },
          { title: 'Verified by address', cell: ({ votes }) => nameList(votes.map(voteWords)) },
          {
            title: 'Proven',
            cell: ({ proven_from: from, proven_to: to }) =>
              from === null ? 'no day' : `${from} to ${to ?? from}`,
          },
        ],
      },
      standings,
    )}
  </section>`;
}
