import { expect, test } from 'vitest';
import { commandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme'];

eachDatabase('own sites', (create) => {
  test("the brand's domains are own sites, and others can be added and removed", async () => {
    const { run } = await commandPlace(await create());
    await run('subject', 'set', 'Acme', '--domain', 'acme.com', ...own);
    await run('subject', 'add', 'Globex', '--domain', 'globex.example', ...own);
    expect((await run('sites', 'add', 'https://www.Acme.dev/', ...own)).code).toBe(0);
    expect((await run('sites', 'add', 'acme.dev', ...own)).code).toBe(0);
    expect(await domains()).toMatchObject([{ domain: 'acme.com' }, { domain: 'acme.dev' }]);
    expect((await run('sites', 'remove', 'acme.dev', ...own)).code).toBe(0);
    expect(await domains()).toMatchObject([{ domain: 'acme.com', votes: [], proven_from: null }]);

    async function domains(): Promise<unknown> {
      return JSON.parse((await run('sites', 'list', ...own, '--json')).stdout).sites;
    }
  });
});
