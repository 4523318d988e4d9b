import { expect, test } from 'vitest';
import { newTenant } from '../../../test/servers/api.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { addOwnSite } from '../../workspaces/own-sites.ts';
import { readStandings } from './site-standing.ts';

eachStore('the standing of a site', (open) => {
  test('a site has its votes by operator, and the days that they surround; other hosts have all votes', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    await addOwnSite(store, workspaceId, 'acme.dev');
    const vote = (date: string, operator: string, network: string, site = 'acme.dev') => ({
      workspace_id: workspaceId,
      day: Date.parse(date) / dayMs,
      verdict: 'verified' as const,
      site,
      operator,
      network,
      hits: 3,
    });
    await store.writer
      .insertInto('hit_votes')
      .values([
        vote('2026-11-02', 'Anthropic', 'a'),
        vote('2026-11-04', 'OpenAI', 'b'),
        vote('2026-11-10', 'OpenAI', 'b'),
        vote('2026-11-10', 'OpenAI', 'c'),
        vote('2026-11-11', 'Anthropic', 'a'),
        vote('2026-11-20', 'Perplexity', 'd', ''),
        { ...vote('2026-11-22', 'Google', 'e'), verdict: 'refuted' as const },
      ])
      .execute();
    const period = { from: '2026-11-01', to: '2026-11-28' };
    const own = [
      { operator: 'Anthropic', networks: 1, first_on: '2026-11-02', last_on: '2026-11-11' },
      { operator: 'OpenAI', networks: 2, first_on: '2026-11-04', last_on: '2026-11-10' },
    ];
    const one = { operator: 'Perplexity', networks: 1, first_on: '2026-11-20' };
    expect(await readStandings(store.reader, workspaceId, period)).toEqual([
      { domain: 'acme.dev', votes: own, proven_from: '2026-11-05', proven_to: '2026-11-09' },
      {
        domain: null,
        votes: [...own, { ...one, last_on: '2026-11-20' }],
        proven_from: '2026-11-05',
        proven_to: '2026-11-10',
      },
    ]);
    const later = { from: '2026-11-12', to: '2026-11-20' };
    expect(await readStandings(store.reader, workspaceId, later)).toMatchObject([
      { domain: 'acme.dev', votes: own, proven_from: null, proven_to: null },
      { domain: null, proven_from: null },
    ]);
  });
});
