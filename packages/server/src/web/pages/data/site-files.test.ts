// @module-tag slow
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { dayLine } from '../../../../test/logs/operator-logs.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import type { Store } from '../../../storage/store.ts';

const log = [
  dayLine('45.9.148.3', 20, { agent: 'GPTBot/1.3' }),
  dayLine('45.9.148.4', 20),
  'no log line\n',
].join('');

eachStore('logs and robots.txt that are uploaded', (open) => {
  test(
    'an access log that is uploaded twice adds its requests once, and the page says what was skipped',
    { tags: ['once'] },
    async () => {
      const { visitor, path, send, place } = await anEditor(await open());
      const crawlers = path.replace('settings/data', 'crawlers');
      expect((await visitor.get(crawlers)).body).toContain('name="rows" value="access log"');
      const file = { name: 'access.log.gz', content: gzipSync(log) };
      const first = await send({ rows: 'access log', site: 'www.Acme.com' }, file);
      expect(first).toMatch(
        /3 lines: 1 request of AI crawlers new,\s+0 known, 1 of others,\s+1 skipped/,
      );
      expect(first).toContain('Skipped 1 line in no known format.');
      const again = await send({ rows: 'access log', site: 'www.acme.com' }, file);
      expect(again).toMatch(/0 requests? of AI crawlers new,\s+1 known/);
      expect(await hitsOf(place)).toEqual([{ host: 'www.acme.com', bot_name: 'GPTBot' }]);
      const page = (await visitor.get(`${crawlers}?from=2026-11-20&to=2026-11-20`)).body;
      expect(page).toContain('No address list of the crawlers’ operators is installed yet');
      expect(page).not.toContain('name="rows"');
    },
  );

  test(
    'a robots.txt needs its site, is stored from its moment on, and once',
    { tags: ['once'] },
    async () => {
      const { send, place } = await anEditor(await open());
      const file = { name: 'robots.txt', content: 'User-agent: GPTBot\nDisallow: /\n' };
      const rows = 'robots.txt';
      expect(await send({ rows }, file)).toContain('Name the site of the robots.txt.');
      expect(await send({ rows, site: 'not a host' }, file)).toContain('the name of a host');
      expect(await send({ rows, site: 'acme.com', at: 'May' }, file)).toContain('It must be a day');
      expect(await send({ rows, site: 'acme.com', at: '2999-01-01' }, file)).toContain('future');
      const fields = { rows, site: 'acme.com', at: '2020-11-01' };
      expect(await send(fields, file)).toContain('It is stored.');
      expect(await send(fields, file)).toContain('It is stored already.');
      const stored = await place.store.reader
        .selectFrom('robots_files')
        .select(['host', 'from_at', 'content'])
        .where('workspace_id', '=', place.workspaceId)
        .execute();
      expect(stored).toEqual([
        { host: 'acme.com', from_at: '2020-11-01T00:00:00.000Z', content: file.content },
      ]);
    },
  );
});

async function anEditor(opened: { store: Store; url: string }) {
  const { store } = opened;
  const clock = Date.now;
  const web = await startWeb(store, { runner: aRunner(opened), clock });
  const { workspaceId, slug } = await newTenant(store);
  const person = await newPerson(store, { workspaceId, role: 'editor', clock });
  const visitor = new Visitor(web, person);
  const path = `/w/${slug}/settings/data`;
  return { visitor, path, place: { store, workspaceId }, send };

  async function send(
    fields: Record<string, string>,
    file: { name: string; content: string | Buffer },
  ): Promise<string> {
    const form = hiddenField(await visitor.get(path), 'form');
    const sent = await visitor.upload(`${path}/import`, { form, format: '', ...fields }, file);
    if (sent.statusCode !== 303) return sent.body;
    await reached(store, { workspaceId, id: form });
    return (await visitor.get(path)).body;
  }
}

function hitsOf({ store, workspaceId }: { store: Store; workspaceId: string }) {
  return store.reader
    .selectFrom('hits')
    .select(['host', 'bot_name'])
    .where('workspace_id', '=', workspaceId)
    .execute();
}
