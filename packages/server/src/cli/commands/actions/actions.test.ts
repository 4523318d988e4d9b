import { expect, test } from 'vitest';
import { day, prepareActions, runsOf } from '../../../../test/answers/action-commands.ts';
import { aHit, writeRows } from '../../../../test/stores/rows.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

eachDatabase('overheard actions', (create) => {
  test('deriving updates open actions, leaves those that a person has set, and reports those whose gap is gone', async () => {
    const { actions, importAnswers, listed } = await prepareActions(create);
    const five = ['Globex.', 'Globex.', 'Globex.', 'Globex.', 'Globex.'];
    await importAnswers([...runsOf('One?', 2, five), ...runsOf('Two?', 2, five)]);
    await actions('derive');
    const before = await listed();
    const [one, two] = ['One?', 'Two?'].map((prompt) =>
      before.find(({ recommendation }) => recommendation.includes(prompt)),
    );
    await actions('set', two?.id ?? '', '--status', 'dismissed');
    await importAnswers([
      ...runsOf('One?', 1, ['Globex.']),
      ...runsOf('Two?', 1, ['Globex.', 'Globex.']),
    ]);
    const updated = await actions('derive');
    expect(updated.stderr).toContain(
      'updated 1; 0 unchanged; 1 left because a person has set their status',
    );
    const after = await listed();
    expect(after.find(({ id }) => id === one?.id)?.recommendation).toContain('none of 6 answers');
    expect(after.find(({ id }) => id === two?.id)).toEqual({ ...two, status: 'dismissed' });
    const cited = Array.from({ length: 20 }, () => 'Acme, https://acme.com');
    await importAnswers(runsOf('One?', 0, cited.slice(0, 12)));
    const over = await actions('derive');
    expect(over.stderr).toMatch(/Open, but their gap is gone[\s\S]*Get cited for "One\?"/);
    expect((await listed()).find(({ id }) => id === one?.id)?.status).toBe('open');
  });

  test('an open action whose prompt now has too few runs is left out', async () => {
    const { actions, importAnswers, passDays } = await prepareActions(create);
    await importAnswers([
      ...runsOf('One?', 28, ['Globex.']),
      ...runsOf('One?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.']),
    ]);
    expect((await actions('derive', '--window', '40d')).stderr).toContain('Opened 1 action;');
    passDays(1);
    const { stderr } = await actions('derive', '--window', '28d');
    expect(stderr).toMatch(/their gap may be gone[^\n]*\n  .*"One\?"/);
    expect(stderr).not.toContain('no longer');
  });

  test('a verified crawler that is refused becomes an action; a page that is gone does not', async () => {
    const { url, actions, listed } = await prepareActions(create);
    const store = await openStore(url);
    const [workspace] = await store.reader.selectFrom('workspaces').select('id').execute();
    const hits = (count: number, hit: Parameters<typeof aHit>[0]) =>
      Array.from({ length: count }, () => aHit({ hit_at: day(1), ...hit }));
    await writeRows(store, workspace?.id ?? '', {
      hits: [
        ...hits(6, { status: 403 }),
        ...hits(2, { status: 200 }),
        ...hits(9, { path: '/gone', status: 404 }),
        ...hits(9, { path: '/members', status: 401 }),
        ...hits(4, { path: '/few', status: 503 }),
        ...hits(9, { path: '/fake', status: 403, verification: 'spoofed' }),
        ...hits(9, { path: '/old', status: 403, hit_at: day(40) }),
        ...hits(5, { path: '/', status: 500, bot_name: 'OAI-SearchBot', category: 'search' }),
        ...hits(6, { path: '/', status: 200, bot_name: 'OAI-SearchBot', category: 'search' }),
        ...hits(5, { path: '/new', status: 500, bot_name: 'OAI-SearchBot', category: 'search' }),
      ],
    });
    await store.close();
    await actions('derive');
    const blocked = await listed();
    expect(blocked).toMatchObject([
      // What is read for answers comes before what is read for a corpus.
      { recommendation: expect.stringMatching(/^Let OAI-SearchBot.*5xx\.$/), priority: 'high' },
      {
        kind: 'blocked',
        recommendation:
          'Decide whether GPTBot of OpenAI may read /pricing for training: 6 of its 8 verified requests from 2026-10-24 to 2026-11-20 were refused with 4xx or 5xx. It is not known whether other visitors get 403 there, too. If you chose to refuse it, dismiss this.',
        priority: 'low',
        sov_baseline: null,
      },
    ]);
    const { stdout } = await actions('explain', blocked[1]?.id ?? '');
    expect(stdout).toContain('impact = 30 x stake / (stake + half)');
    expect(stdout).toContain(
      [
        '  How to fix it:',
        '    1. Decide whether GPTBot may read the page for training. If not, dismiss this gap.',
        '    2. Let GPTBot through the firewall, CDN or bot protection, by the addresses that its operator publishes: 6 requests got 403.',
        '    3. Then look at the requests after 2026-11-19, the day of the last refusal: they should get 200.',
      ].join('\n'),
    );
    expect(stdout).toMatch(/Behind it: 8 requests\n  2026-11-19T06:00:00.000Z  403 /);
  });

  test('the same path of two sites is two actions', async () => {
    const { url, actions, listed } = await prepareActions(create);
    const store = await openStore(url);
    const [workspace] = await store.reader.selectFrom('workspaces').select('id').execute();
    const refused = ['acme.com', 'shop.acme.com'].flatMap((host) =>
      Array.from({ length: 5 }, () => aHit({ hit_at: day(1), host, path: '/x', status: 403 })),
    );
    await writeRows(store, workspace?.id ?? '', { hits: refused });
    await store.close();
    await actions('derive');
    expect((await listed()).map(({ recommendation }) => recommendation).toSorted()).toMatchObject([
      expect.stringContaining('read acme.com/x for training: 5 of its 5'),
      expect.stringContaining('read shop.acme.com/x for training: 5 of its 5'),
    ]);
  });
});
