import { isWellFormedKey, keyPattern } from '@overheard/contract';
import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const now = Date.parse('2026-11-20T12:34:56.789Z');

eachDatabase('overheard key', (create) => {
  test('overheard key create prints only the key, and no second copy of it if stdout is piped', async () => {
    const url = await create();
    const run = await acme(url);
    const made = await run('create', '--workspace', 'acme', '--name', 'ci', '--expires', '90d');
    expect(made.code).toBe(0);
    expect(isWellFormedKey(made.stdout.trimEnd())).toBe(true);
    expect(made.stdout).toMatch(/^\S+\n$/);
    expect(made.stderr).not.toMatch(keyPattern);
    expect(made.stderr).toContain('expires at 2027-02-18T12:34:56.789Z');
    expect(made.stderr).toContain(
      'curl -H "Authorization: Bearer $KEY" http://127.0.0.1:8484/api/v1/scores',
    );
    expect(made.stderr).toContain(
      '"env":{"OVERHEARD_API_KEY":"THE KEY FROM STDOUT","OVERHEARD_BASE_URL":"http://127.0.0.1:8484"}}}}',
    );
  });

  test('overheard key list shows the state of each key, of one workspace or of all', async () => {
    const run = await acme(await create());
    let at = now;
    const make = (...more: string[]): Promise<Outcome> =>
      run('create', '--workspace', 'acme', ...more, { at: at++ });
    const live = (await make('--name', 'live')).stdout.trim();
    const revoked = (await make('--name', 'gone')).stdout.trim();
    await make('--name', 'late', '--expires', '1h');
    expect((await run('revoke', revoked)).code).toBe(0);

    const later = await run('list', '--json', { at: now + 3_700_000 });
    expect(later.stdout).not.toMatch(keyPattern);
    expect(JSON.parse(later.stdout)).toMatchObject({
      keys: [
        {
          workspace: 'acme',
          name: 'live',
          last_four: live.slice(-4),
          state: 'live',
          expires_at: null,
          last_used_at: null,
          revoked_at: null,
        },
        { name: 'gone', state: 'revoked', revoked_at: '2026-11-20T12:34:56.789Z' },
        { name: 'late', state: 'expired', expires_at: '2026-11-20T13:34:56.791Z' },
      ],
    });
    expect((await run('list', '--workspace', 'acme')).stdout.split('\n')).toHaveLength(5);
    expect(await run('list', '--workspace', 'acne')).toMatchObject({ code: 1 });
  });

  test('overheard key revoke says if it was revoked already, and refuses what means no key', async () => {
    const run = await acme(await create());
    const key = (await run('create', '--workspace', 'acme')).stdout.trim();
    const revoked = await run('revoke', key.slice(-4));
    expect(revoked).toMatchObject({ code: 0, stdout: '' });
    expect(revoked.stderr).toMatch(/^Revoked the key /);
    const again = await run('revoke', key.slice(-4));
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toContain('revoked at 2026-11-20T12:34:56.789Z');
    expect(await run('revoke', 'nothing')).toMatchObject({ code: 1 });
    const other = await run('create', '--workspace', 'acme');
    const [, id = ''] = /\(id ([0-9a-f-]{36})\)/.exec(other.stderr) ?? [];
    for (const short of [id.slice(0, 4), id.slice(0, 7)]) {
      const refused = await run('revoke', short);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('first 8') });
    }
    expect(await run('revoke', id.slice(0, 35))).toMatchObject({ code: 0 });
    expect(await run('create', '--workspace', 'acme', '--expires', '2020-01-01')).toMatchObject({
      code: 2,
    });
    expect(await run('create', '--workspace', 'acme', '--name', 'a\nb')).toMatchObject({ code: 2 });
  });
});

/** Runs key commands on a database that has the workspace acme. */
async function acme(url: string) {
  const brand = ['--name', 'Acme', '--brand', 'Acme', '--database', url];
  await runCommand(['workspace', 'create', 'acme', ...brand]);
  return (...words: ReadonlyArray<string | { at: number }>): Promise<Outcome> => {
    const args = words.filter((word) => typeof word === 'string');
    const at = words.find((word) => typeof word !== 'string')?.at ?? now;
    return runCommand(['key', ...args, '--database', url], { clock: () => at });
  };
}
