import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { listEvents } from '../../../people/events.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { listWorkspaces } from '../../../workspaces/workspaces.ts';

eachDatabase({ title: 'overheard user', onBoth: true }, (create) => {
  async function prepare() {
    const url = await create();
    const run = (...args: string[]) => runCommand([...args, '--database', url]);
    await run('workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme');
    return { url, run };
  }

  test('overheard user link prints the link alone on stdout: for set-up first, then for a named user', async () => {
    const { run } = await prepare();
    const first = await run('user', 'link', '--public-url', 'https://overheard.example.com');
    expect(first.stdout).toMatch(/^https:\/\/overheard\.example\.com\/setup\/[\w-]{43}\n$/);
    expect(first.stderr).not.toContain('/setup/');
    await run('user', 'add', 'ada@example.com');
    expect(await run('user', 'link')).toMatchObject({ code: 2, stdout: '' });
    const second = await run('user', 'link', 'ADA@example.com');
    expect(second.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8484\/sign-in\/[\w-]{43}\n$/);
  });

  test('a user who was added signs in by the link, with the role and a password of their own', async () => {
    const { url, run } = await prepare();
    const role = ['--workspace', 'acme', '--role', 'editor'];
    const { stdout } = await run('user', 'add', 'ada@example.com', '--name', 'Ada', ...role);
    const store = await openStore(url);
    try {
      const web = await startWeb(store, { clock: Date.now });
      const visitor = new Visitor(web);
      const path = new URL(stdout.trim()).pathname;
      expect((await visitor.get(path)).body).toContain('Ada');
      await visitor.post(path, { password: 'correct horse battery' });
      expect((await visitor.get('/w/acme/')).statusCode).toBe(200);
      const again = new Visitor(web);
      const words = { email: 'ada@example.com', password: 'correct horse battery' };
      expect((await again.post('/sign-in', words)).statusCode).toBe(303);
      await run('user', 'disable', 'ada@example.com');
      expect((await visitor.get('/w/acme/')).statusCode).toBe(303);
      expect((await again.post('/sign-in', words)).statusCode).toBe(403);
    } finally {
      await store.close();
    }
  });

  test(
    'the history names keys that the command line made and revoked',
    { tags: ['once'] },
    async () => {
      const { url, run } = await prepare();
      const { stdout: key } = await run('key', 'create', '--workspace', 'acme', '--name', 'ci');
      await run('key', 'revoke', key.trim());
      await run('key', 'revoke', key.trim());
      const store = await openStore(url);
      try {
        const [workspace] = await listWorkspaces(store.reader);
        const workspaceId = workspace?.id ?? '';
        const events = await listEvents(store.access, { workspaceId, before: undefined, limit: 9 });
        const facts = { name: 'ci', last_four: key.trim().slice(-4) };
        expect(events).toMatchObject([
          { kind: 'key_revoked', facts, name: undefined },
          { kind: 'key_made', facts, name: undefined },
        ]);
      } finally {
        await store.close();
      }
    },
  );

  test('a first user who was added ends the set-up links', { tags: ['once'] }, async () => {
    const { url, run } = await prepare();
    const { stdout } = await run('user', 'link');
    await run('user', 'add', 'ada@example.com', '--operator');
    const store = await openStore(url);
    try {
      const visitor = new Visitor(await startWeb(store, { clock: Date.now }));
      expect((await visitor.get(new URL(stdout.trim()).pathname)).statusCode).toBe(404);
    } finally {
      await store.close();
    }
  });

  test(
    'overheard user list names every user with roles, and a disabled one comes back by add',
    { tags: ['once'] },
    async () => {
      const { run } = await prepare();
      expect((await run('user', 'list')).stderr).toContain('overheard user link');
      await run('user', 'add', 'ada@example.com', '--operator');
      await run('user', 'add', 'ben@example.com', '--workspace', 'acme', '--role', 'admin');
      await run('user', 'disable', 'ben@example.com');
      const { stdout } = await run('user', 'list', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        users: [
          {
            email: 'ada@example.com',
            name: 'ada',
            is_operator: true,
            roles: {},
            disabled_at: null,
          },
          { email: 'ben@example.com', roles: { acme: 'admin' }, disabled_at: expect.any(String) },
        ],
      });
      const back = await run('user', 'add', 'ben@example.com');
      expect(back.stdout).toContain('/sign-in/');
      expect((await run('user', 'list')).stdout).not.toContain('disabled');
      const joined = await run('user', 'add', 'ada@example.com', '--workspace', 'acme');
      expect(joined).toMatchObject({ code: 0, stdout: '' });
      expect((await run('user', 'list')).stdout).toContain('operator, viewer of acme');
    },
  );

  test(
    'a user gets a role in several workspaces at once, or in all that are not archived',
    { tags: ['once'] },
    async () => {
      const { run } = await prepare();
      for (const slug of ['globex', 'hooli', 'old']) {
        await run('workspace', 'create', slug, '--name', slug, '--brand', slug);
      }
      await run('workspace', 'archive', 'old');
      const rolesOf = async (email: string) => {
        const { users } = JSON.parse((await run('user', 'list', '--json')).stdout);
        return users.find((user: { email: string }) => user.email === email)?.roles;
      };
      const added = ['user', 'add', 'ada@example.com', '--role', 'editor'];
      const unknown = await run(...added, '--workspace', 'acme,globx');
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"globx"') });
      expect(await rolesOf('ada@example.com')).toBeUndefined();
      const several = await run(...added, '--workspace', 'acme,globex');
      expect(several.stderr).toContain('as an editor of acme, globex.');
      expect(await rolesOf('ada@example.com')).toEqual({ acme: 'editor', globex: 'editor' });
      await run('user', 'add', 'ben@example.com', '--all');
      expect(await rolesOf('ben@example.com')).toEqual({
        acme: 'viewer',
        globex: 'viewer',
        hooli: 'viewer',
      });
      expect(await run(...added, '--all', '--workspace', 'acme')).toMatchObject({ code: 2 });
    },
  );
});
