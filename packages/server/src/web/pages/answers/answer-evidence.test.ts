import { expect, onTestFinished, test } from 'vitest';
import { answered, noon, startCollecting } from '../../../../test/engines/collecting.ts';
import { searchResponse } from '../../../../test/engines/search-response.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const searched = searchResponse({
  query: 'best <crm>',
  pages: [
    { url: 'https://acme.com/crm', title: 'Bad \u202e' },
    { url: 'javascript:alert(1)', title: 'Script' },
  ],
  text: 'Acme is good.',
});

eachDatabase('the page of an answer that was asked for', (create) => {
  test('the page of an answer that was asked for shows its cost, searches and the pages that were read apart from its sources', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    const claude = await startEngineServer({ json: searched });
    await here.run('engine disable own_api');
    await here.run(`engine add claude_api --base-url ${claude.url} --per-minute 60000`);
    await here.run('collect run --workspace acme --now --at-once 1');
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const clock = () => noon;
    const web = await startWeb(store, { clock });
    const visitor = new Visitor(web, await newPerson(store, { isOperator: true, clock }));
    const list = await visitor.get('/w/acme/answers');
    const [path = ''] = /\/w\/acme\/answers\/[0-9a-f-]{36}/.exec(list.body) ?? [];
    const body = (await visitor.get(path)).body.replaceAll(/\s+/g, ' ');
    expect(body).toContain('Asked over the API for $0.0111, by its use and the price list.');
    expect(body).toContain('Model as served: claude-haiku-4-5.');
    expect(body).toContain('It searched 1 time.');
    expect(body).toContain('best &lt;crm&gt;');
    expect(body).toContain('The answer names no sources.');
    expect(body).toMatch(/<a href="https:\/\/acme\.com\/crm"[^>]*>Bad \ufffd<\/a/);
    expect(body).not.toMatch(/href="(?:javascript|#")/);
    expect(body).toContain('asked with the same tool and options');
  });

  test(
    'the page of an answer is sent again when its evidence is gone, and not before',
    { tags: ['long'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 1 }, answered);
      await here.run('collect run --workspace acme --now');
      const store = await openStore(here.url);
      onTestFinished(() => store.close());
      const clock = () => noon;
      const web = await startWeb(store, { clock });
      const visitor = new Visitor(web, await newPerson(store, { isOperator: true, clock }));
      const list = await visitor.get('/w/acme/answers');
      const [path = ''] = /\/w\/acme\/answers\/[0-9a-f-]{36}/.exec(list.body) ?? [];
      const seen = { 'if-none-match': String((await visitor.get(path)).headers['etag']) };
      expect((await visitor.get(path, seen)).statusCode).toBe(304);
      await (await store.ledger())?.db.deleteFrom('bodies').execute();
      const again = await visitor.get(path, seen);
      expect(again.statusCode).toBe(200);
      expect(again.body).not.toContain('<h2>Evidence</h2>');
    },
  );
});
