// @module-tag slow
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { answered, everythingStored } from '../../../../test/engines/collecting.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import type { Reply } from '../../../../test/engines/engine-server.ts';
import { startServer } from '../../../../test/servers/server-process.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { listJobs } from '../../../jobs/jobs.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const clock = Date.now;
const key = 'sk-planted-by-hand-0123456789';
const secret = 'a secret of the installation, long enough';
const none = { key: '', model: '', address: '', name: '', search: '', bound: '', cap: '' };

async function aPlace(url: string, secrets: Readonly<Record<string, string>>, ...replies: Reply[]) {
  const engine = await startEngineServer(...replies);
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const asking = { environment: secrets, atOnce: 1, prices: [] };
  const runner = aRunner({ store, url }, { asking });
  const web = await startWeb(store, { runner, clock, environment: secrets });
  const operator = new Visitor(web, await newPerson(store, { isOperator: true, clock }));
  const own = {
    ...none,
    engine: 'openai_compatible',
    name: 'our_api',
    model: 'small',
    address: `${engine.url}/v1`,
    bound: '0.01',
  };
  const putTest = async () => {
    const { body } = await operator.get('/engines');
    const [, form = ''] = /our_api\/test"[^]*?value="([^"]*)"/.exec(body) ?? [];
    await operator.post('/engines/our_api/test', { form });
    const [job] = await listJobs(store.access, { workspaceId: '', kind: 'test', limit: 1 });
    if (job === undefined) throw new Error('No test');
    return reached(store, job);
  };
  return { store, web, operator, own, putTest, sent: engine.sent };
}

function command(line: string, url: string, environment: Readonly<Record<string, string>>) {
  return runCommand([...line.split(' '), '--database', url], {
    environment,
    mayReachPrivate: true,
  });
}

const onBoth = { title: 'the page of engines', onBoth: true } as const;

eachDatabase(onBoth, (create, dialect) => {
  const secrets: Record<string, string> = dialect === 'sqlite' ? {} : { OVERHEARD_SECRET: secret };

  test(
    'a pasted key is sent to its engine, shown by its end, and written nowhere',
    { tags: ['once'] },
    async () => {
      const url = await create();
      const { operator, own, putTest, sent, web } = await aPlace(url, secrets, answered);
      expect((await operator.post('/engines', { ...own, key })).statusCode).toBe(303);
      expect((await operator.get('/engines')).body).toContain('stored, ends in 6789');
      expect(await putTest()).toMatchObject({ state: 'done', outcome: { result: { fault: [] } } });
      expect(sent[0]?.headers.authorization).toBe(`Bearer ${key}`);
      const page = (await operator.get('/engines')).body;
      expect(page).toContain('Acme is good.');
      expect(page).toContain('Cost: $0.0020.');
      const list = await command('engine list --json', url, secrets);
      const doctor = await command('doctor --json', url, secrets);
      for (const text of [page, web.text(), list.stdout, doctor.stdout]) {
        expect(text).not.toContain(key);
      }
      expect(await everythingStored(url)).not.toContain(key);
      const folder = url.slice('file:'.length).replace(/[^/]+$/, '');
      const file = dialect === 'sqlite' ? statSync(`${folder}overheard.secret`) : undefined;
      expect((file?.mode ?? 0o600) & 0o777).toBe(0o600);
    },
  );

  test('an engine that is told to search stays told so', { tags: ['once'] }, async () => {
    const { operator } = await aPlace(await create(), secrets, answered);
    const save = (search: string) =>
      operator.post('/engines', { ...none, engine: 'chatgpt_api', search });
    expect((await save('required')).statusCode).toBe(303);
    expect((await save('')).statusCode).toBe(303);
    expect((await operator.get('/engines')).body).toContain('api.openai.com, always searches');
  });

  test('another address demands the key again, and without it the old key opens nothing', async () => {
    const url = await create();
    const { operator, own, store } = await aPlace(url, secrets, answered);
    await operator.post('/engines', { ...own, key });
    const moved = { ...own, address: 'http://127.0.0.1:9/v1' };
    const { statusCode, body } = await operator.post('/engines', moved);
    expect([statusCode, body.includes('Another address needs the key again.')]).toEqual([
      400,
      true,
    ]);
    // Whoever writes the address into the database gets no key for it.
    await store.access.updateTable('engines').set({ base_url: 'http://127.0.0.1:9/v1' }).execute();
    const tested = await command('engine test our_api --prompt Which?', url, secrets);
    expect(tested.stderr).toContain('The stored key of our_api does not open here');
  });

  test('the key of a variable is not sent to an address that a page names, without the key again', async () => {
    const url = await create();
    const environment = { ...secrets, OPENAI_API_KEY: key };
    const { operator, own, store } = await aPlace(url, environment, answered);
    const elsewhere = {
      ...own,
      engine: 'chatgpt_api',
      name: '',
      address: 'https://example.com/v1',
    };
    const { statusCode, body } = await operator.post('/engines', elsewhere);
    expect([statusCode, body.includes('Another address needs the key again.')]).toEqual([
      400,
      true,
    ]);
    expect(await store.access.selectFrom('engines').select('name').execute()).toEqual([]);
  });

  test('the secret and a key are read from files, and a renewed key needs no restart', async () => {
    const url = await create();
    const folder = mkdtempSync(join(tmpdir(), 'overheard-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = { secret: join(folder, 'secret'), key: join(folder, 'key') };
    writeFileSync(files.secret, `${secret}\n`);
    const environment = { OVERHEARD_SECRET_FILE: files.secret, OUR_KEY_FILE: files.key };
    const { operator, own, sent, store } = await aPlace(url, environment, answered);
    await operator.post('/engines', { ...own, key });
    const ask = 'engine test our_api --prompt Which?';
    expect(await command(ask, url, { OVERHEARD_SECRET: secret })).toMatchObject({ code: 0 });
    await store.access
      .updateTable('engines')
      .set({ key_tail: null, key_sealed: null, key_variable: 'OUR_KEY' })
      .execute();
    const missing = await command(ask, url, environment);
    expect(missing.stderr).toContain(`${files.key} cannot be read`);
    for (const value of ['first-key', 'second-key']) {
      writeFileSync(files.key, `${value}\n`);
      expect(await command(ask, url, environment)).toMatchObject({ code: 0 });
      expect(sent.at(-1)?.headers.authorization).toBe(`Bearer ${value}`);
    }
  });

  test.runIf(dialect === 'sqlite')('an empty OVERHEARD_SECRET counts as unset', async () => {
    const url = await create();
    const { operator, own, putTest, sent } = await aPlace(url, { OVERHEARD_SECRET: '' }, answered);
    expect((await operator.post('/engines', { ...own, key })).statusCode).toBe(303);
    expect(await putTest()).toMatchObject({ state: 'done', outcome: { result: { fault: [] } } });
    expect(sent[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test(
    'a server with another secret asks nothing and changes nothing, and the other goes on',
    { tags: ['once'] },
    async () => {
      const url = await create();
      const { operator, own } = await aPlace(url, secrets, answered);
      await operator.post('/engines', { ...own, key });
      const wrong = { OVERHEARD_SECRET: 'another secret that is long enough, too' };
      const ask = 'engine test our_api --prompt Which?';
      expect((await command(ask, url, wrong)).stderr).toContain('does not open here');
      expect((await command('doctor', url, wrong)).stdout).toContain('does not open here');
      expect(await command('engine rekey', url, wrong)).toMatchObject({ code: 1 });
      expect(await command(ask, url, secrets)).toMatchObject({ code: 0 });
      const server = await startServer(url, [], wrong);
      const ready = await fetch(`${server.url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: 'ready', warnings: [expect.stringContaining('1 stored key of engines')] },
      ]);
      expect((await server.stop()).stdout).toContain('cannot be opened with this server');
    },
  );

  test('keys are stored again under a new secret, and the old one is needed no more', async () => {
    const url = await create();
    const old = { OVERHEARD_SECRET: secret };
    const { operator, own } = await aPlace(url, old, answered);
    await operator.post('/engines', { ...own, key });
    const fresh = { OVERHEARD_SECRET: 'a new secret of the same installation' };
    const both = { ...fresh, OVERHEARD_SECRET_BEFORE: secret };
    const ask = 'engine test our_api --prompt Which?';
    expect(await command(ask, url, both)).toMatchObject({ code: 0 });
    expect((await command('engine rekey', url, both)).stderr).toContain('Stored 1 key again.');
    expect(await command(ask, url, fresh)).toMatchObject({ code: 0 });
    expect(await command(ask, url, old)).toMatchObject({ code: 1 });
  });

  test('an engine is switched off, on and removed, and only operators see the page', async () => {
    const url = await create();
    const { operator, own, store, web } = await aPlace(url, secrets, answered);
    await operator.post('/engines', { ...own, key });
    const names = async () =>
      (await store.access.selectFrom('engines').select(['name', 'disabled_at']).execute()).map(
        ({ name, disabled_at: at }) => [name, at === null],
      );
    await operator.post('/engines/our_api/switch', { to: 'off' });
    expect(await names()).toEqual([['our_api', false]]);
    await operator.post('/engines/our_api/switch', { to: 'on' });
    expect(await names()).toEqual([['our_api', true]]);
    const stranger = new Visitor(web, await newPerson(store, { clock }));
    expect((await stranger.get('/engines')).statusCode).toBe(403);
    expect((await stranger.post('/engines/our_api/remove')).statusCode).toBe(403);
    await operator.post('/engines/our_api/remove');
    expect(await names()).toEqual([]);
  });
});

eachDatabase({ title: 'a PostgreSQL without a secret', onBoth: true }, (create, dialect) => {
  test.runIf(dialect === 'postgres')('a key is refused, and nothing is stored', async () => {
    const { operator, own, store } = await aPlace(await create(), {}, answered);
    const { statusCode, body } = await operator.post('/engines', { ...own, key });
    expect([statusCode, body.includes('Set OVERHEARD_SECRET to a random text')]).toEqual([
      400,
      true,
    ]);
    expect(body).not.toContain(key);
    expect(await store.access.selectFrom('engines').select('name').execute()).toEqual([]);
  });
});
