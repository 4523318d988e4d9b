import { expect, test } from 'vitest';
import {
  closed,
  counts,
  forged,
  own,
  placeWith,
  report,
  site,
} from '../../../../test/logs/robots-place.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase({ title: 'robots.txt', onBoth: true }, (create) => {
  test(
    'robots.txt judges each hit by the file of its day, whatever the order in which files came',
    { tags: ['once'] },
    async () => {
      const lines = [
        { day: 4, path: '/private' },
        { day: 8, path: '/private/a' },
        { day: 8, path: '/robots.txt' },
        { day: 8, path: '/open' },
        { day: 14, path: '/private' },
        { day: 19, path: '/private' },
      ];
      const files = [
        ['User-agent: *\nDisallow:\n', '2026-11-12'],
        [closed, '2026-11-18'],
        [closed, '2026-11-05'],
      ] as const;
      const reports = [];
      for (const order of [files, files.toReversed()]) {
        const place = await placeWith(create, lines);
        for (const [text, at] of order) expect((await place.importFile(text, at)).code).toBe(0);
        reports.push(await report(place));
      }
      expect(reports[0]).toEqual(reports[1]);
      expect(reports[0]).toEqual({
        bots: [
          {
            host: 'www.acme.com',
            bot_name: 'GPTBot',
            bot_company: 'OpenAI',
            category: 'crawler',
            conclusion: 'ignored',
            asked: true,
            ignores_by_policy: false,
            first_ignored: { hit_at: '2026-11-08T12:00:00.000Z', path: '/private/a' },
            verified: { allowed: 2, disallowed: 2, unclear: 0, unknown: 1, robots_txt: 1 },
            unverified: counts,
            spoofed: counts,
          },
        ],
        without_file: 0,
      });
    },
  );

  test(
    'robots.txt leaves a bot unjudged while it may use a copy of up to 24 hours',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, [
        { day: 10, path: '/private', time: '23:59:59' },
        { day: 11, path: '/private', time: '00:00:00' },
        { day: 11, path: '/private', time: '00:00:01' },
      ]);
      await place.importFile('', '2026-11-05');
      await place.importFile(closed, '2026-11-10');
      const [bot] = (await report(place)).bots;
      expect(bot.verified).toEqual({ ...counts, unclear: 1, disallowed: 2 });
      expect(bot.first_ignored.hit_at).toBe('2026-11-11T00:00:00.000Z');
    },
  );

  test(
    'robots.txt takes only verified hits for what an operator did',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, [
        { day: 8, path: '/private', address: forged },
        { day: 8, path: '/open' },
        { day: 8, path: '/private', bot: 'OAI-SearchBot/1.3', address: forged },
      ]);
      await place.importFile('User-agent: *\nDisallow: /private', '2026-11-01');
      const { bots } = await report(place);
      expect(bots).toMatchObject([
        { bot_name: 'GPTBot', conclusion: 'obeyed', asked: false, spoofed: { disallowed: 1 } },
        { bot_name: 'OAI-SearchBot', conclusion: 'unknown', asked: null, first_ignored: null },
      ]);
      const { stdout, stderr } = await place.run('robots', 'report', ...own);
      expect(stdout).toMatch(/www\.acme\.com +GPTBot +obeyed +never +1 +0 +0 +0\n/);
      expect(stdout).not.toContain('OAI-SearchBot');
      expect(stderr).toContain(
        '1 spoofed hit in the name of GPTBot on www.acme.com was disallowed.',
      );
    },
  );

  test(
    'robots.txt reports that the operator of a person’s agent does not promise to obey',
    { tags: ['once'] },
    async () => {
      const user = { bot: 'ChatGPT-User/1.0', path: '/private' };
      const place = await placeWith(create, [{ day: 12, ...user }]);
      await place.importFile('User-agent: *\nDisallow: /', '2026-11-01');
      expect((await report(place)).bots).toMatchObject([
        { bot_name: 'ChatGPT-User', conclusion: 'ignored', ignores_by_policy: true },
      ]);
      const { stderr } = await place.run('robots', 'report', ...own);
      expect(stderr).toContain('robots.txt may not apply to it, because a person sends it');
    },
  );

  test('a bot is not called obedient if nothing was forbidden', { tags: ['once'] }, async () => {
    const place = await placeWith(create, [{ day: 8, path: '/open' }]);
    await place.importFile('User-agent: CCBot\nDisallow: /', '2026-11-01');
    expect((await report(place)).bots).toMatchObject([{ conclusion: 'not_restricted' }]);
  });

  test(
    'a query that was judged by another version of robots.txt stays in doubt',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, []);
      await place.importFile('User-agent: *\nDisallow: /*?', '2026-11-01');
      await place.ingest([{ day: 8, path: '/search?q=1' }]);
      await place.importFile('User-agent: *\nDisallow: /search?', '2026-11-05');
      expect((await report(place)).bots).toMatchObject([
        { conclusion: 'unknown', verified: { ...counts, unclear: 1 } },
      ]);
    },
  );

  test(
    'a bot is not called obedient if "Disallow: /*sort=" may have forbidden its requests',
    { tags: ['once'] },
    async () => {
      const rule = '/*sort=';
      const forbidden = Array.from({ length: 12 }, (_, index) => ({
        day: 8,
        path: `/search?q=${index}&sort=up`,
      }));
      const place = await placeWith(create, [...forbidden, { day: 8, path: '/robots.txt' }]);
      await place.importFile(`User-agent: *\nDisallow: ${rule}\nDisallow: /private`, '2026-11-01');
      expect((await report(place)).bots).toMatchObject([
        { conclusion: 'unknown', verified: { unclear: 12, robots_txt: 1 } },
      ]);
    },
  );

  test(
    'a bot ignores "Disallow: /*sort=" if its requests had such a query, in whichever order log and file came',
    { tags: ['once'] },
    async () => {
      const rule = '/*sort=';
      const lines = Array.from({ length: 12 }, (_, index) => ({
        day: 8,
        path: `/search?q=${index}&sort=up`,
      }));
      const text = `User-agent: *\nDisallow: ${rule}`;
      const before = await placeWith(create, []);
      await before.importFile(text, '2026-11-01');
      await before.ingest([...lines, { day: 8, path: '/search' }]);
      const after = await placeWith(create, [...lines, { day: 8, path: '/search' }]);
      await after.importFile(text, '2026-11-01');
      await after.ingest([{ day: 8, path: '/search' }, ...lines.toReversed()]);
      const reports = [await report(before), await report(after)];
      expect(reports[0]).toEqual(reports[1]);
      expect(reports[0].bots).toMatchObject([
        { conclusion: 'ignored', verified: { ...counts, disallowed: 12, allowed: 1 } },
      ]);
      expect((await before.run('hits', 'list', ...own, '--json')).stdout).not.toContain('q=');
    },
  );

  test(
    'a bot that was refused robots.txt may read all, and one that got a server error nothing',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, [
        { day: 8, path: '/robots.txt', status: 403 },
        { day: 8, path: '/private', time: '12:00:01' },
        { day: 10, path: '/private' },
        { day: 12, path: '/robots.txt', status: 503 },
        { day: 12, path: '/open', time: '12:00:01' },
        { day: 12, path: '/robots.txt', time: '12:00:02' },
        { day: 12, path: '/open', time: '12:00:03' },
        { day: 12, path: '/robots.txt', time: '12:00:04', status: 403, address: forged },
        { day: 12, path: '/private', time: '12:00:05' },
      ]);
      await place.importFile(closed, '2026-11-01');
      const [bot] = (await report(place)).bots;
      expect(bot.first_ignored.hit_at).toBe('2026-11-10T12:00:00.000Z');
      expect(bot.verified).toEqual({
        allowed: 2,
        disallowed: 2,
        unclear: 1,
        unknown: 0,
        robots_txt: 3,
      });
    },
  );

  test('what-if lists the genuine hits that a robots.txt would have kept away, and stores nothing', async () => {
    const place = await placeWith(create, [
      { day: 8, path: '/private/a' },
      { day: 9, path: '/private/a' },
      { day: 9, path: '/private/b', bot: 'OAI-SearchBot/1.3' },
      { day: 8, path: '/private/a', address: forged },
      { day: 9, path: '/search?q=1' },
      { day: 9, path: '/open' },
    ]);
    const text = 'User-agent: GPTBot\nDisallow: /private\nDisallow: /*?';
    const path = await place.write('new.txt', text);
    const { stdout } = await place.run('robots', 'what-if', path, ...site, '--json');
    expect(JSON.parse(stdout)).toEqual({
      pages: [
        {
          bot_name: 'GPTBot',
          bot_company: 'OpenAI',
          category: 'crawler',
          path: '/private/a',
          hits: 2,
          last_at: '2026-11-09T12:00:00.000Z',
        },
      ],
      hits: 5,
      kept_away: 2,
      unclear: 2,
    });
    const listed = await place.run('robots', 'list', ...own, '--json');
    expect(JSON.parse(listed.stdout)).toEqual({ files: [] });
  });

  test(
    'a bot is not called obedient while one of its requests is in doubt',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, [
        { day: 8, path: '/open' },
        { day: 8, path: '/search?q=1' },
      ]);
      await place.importFile('User-agent: *\nDisallow: /search?', '2026-11-01');
      expect((await report(place)).bots).toMatchObject([
        { conclusion: 'unknown', verified: { allowed: 1, unclear: 1 } },
      ]);
    },
  );

  test('robots.txt is listed, removed and imported again, the same file of one moment once', async () => {
    const place = await placeWith(create, [{ day: 8, path: '/private' }]);
    await place.importFile(closed, '2026-11-01');
    const again = await place.importFile(closed, '2026-11-01');
    expect(again.stderr).toContain('from 2026-11-01T00:00:00.000Z on: 1 bot (known).');
    const other = await place.importFile('', '2026-11-01');
    expect({ code: other.code, stderr: other.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('There is another robots.txt of www.acme.com'),
    });
    const { stdout } = await place.run('robots', 'list', ...own, '--json');
    expect(JSON.parse(stdout)).toEqual({
      files: [
        { host: 'www.acme.com', at: '2026-11-01T00:00:00.000Z', status: null, content: closed },
      ],
    });
    expect((await place.run('robots', 'remove', ...site)).code).toBe(2);
    expect((await place.run('robots', 'remove', ...site, '--at', '2026-11-01')).code).toBe(0);
    expect((await place.run('robots', 'remove', ...site, '--all')).code).toBe(1);
    expect((await report(place)).without_file).toBe(1);
  });

  test(
    'the robots.txt of a workspace belongs to no other workspace',
    { tags: ['once'] },
    async () => {
      const place = await placeWith(create, [{ day: 8, path: '/private' }]);
      await place.run('workspace', 'create', 'other', '--name', 'Other', '--brand', 'Other');
      await place.importFile(closed, '2026-11-01');
      const { stdout } = await place.run('robots', 'list', '--workspace', 'other', '--json');
      expect(JSON.parse(stdout)).toEqual({ files: [] });
      await place.run('workspace', 'remove', 'acme', '--yes');
      const left = await place.run('robots', 'report', '--workspace', 'other', '--json');
      expect(JSON.parse(left.stdout)).toEqual({ bots: [], without_file: 0 });
    },
  );
});
