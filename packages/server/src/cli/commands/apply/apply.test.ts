import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const example = readFileSync(
  new URL('../../../../../../examples/workspaces.yaml', import.meta.url),
  'utf8',
);

eachDatabase({ title: 'overheard apply', onBoth: true }, (create) => {
  test(
    'the example makes its workspaces, and a second run writes nothing, not even a revision',
    { tags: ['once'] },
    async () => {
      const { apply, stored } = await prepare(create);
      const first = await apply(example);
      expect(first).toMatchObject({ code: 0 });
      expect(first.stderr).toContain('Changed 2 of 2 workspaces');
      const before = await stored();
      expect(before).toMatchObject({
        prompts: 3,
        tags: ['CRM', 'Prices (topic)'],
        subjects: ['Acme', 'Globex', 'Hooli', 'Initech', 'Other'],
        roles: ['admin', 'admin', 'viewer', 'viewer'],
        allowances: [2_000_000, 2_000_000],
        recipients: ['https://hooks.agency.example/acme', 'mailto:client@acme.example'],
      });
      const second = await apply(example);
      expect(second).toMatchObject({ code: 0, stdout: '' });
      expect(second.stderr).toContain('Nothing changed: 2 workspaces');
      expect(await stored()).toEqual(before);
    },
  );

  test('a workspace that is refused at the end of the file leaves everything as it was', async () => {
    const { apply, stored } = await prepare(create);
    const before = await stored();
    const lines = [
      '  - slug: late',
      '    name: Late',
      '    brand: { name: Late, domains: [late.example] }',
      '    competitors:',
      '      - name: Rival',
      '        domains: [late.example]',
    ];
    const refused = await apply(`${example}\n${lines.join('\n')}\n`);
    const line = example.split('\n').length + 5;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `standard input:${line}: field "workspaces[2].competitors[0]":`,
    );
    expect(refused.stderr).toContain('"late.example" is a domain of the brand "Late"');
    expect(await stored()).toEqual(before);
  });

  test(
    'a dry run reports what the real run does, and writes nothing',
    { tags: ['once'] },
    async () => {
      const { apply, stored } = await prepare(create);
      const before = await stored();
      const dry = await apply(example, '--dry-run', '--json');
      expect(await stored()).toEqual(before);
      const real = await apply(example, '--json');
      expect(JSON.parse(dry.stdout)).toEqual({ ...JSON.parse(real.stdout), dry_run: true });
    },
  );

  test('what the file leaves out stays, and ends with --prune', { tags: ['once'] }, async () => {
    const { apply, stored, run } = await prepare(create);
    await apply(example);
    const short = {
      slug: 'acme',
      name: 'Acme Ltd',
      brand: { name: 'Acme', domains: ['acme.example', 'acme.test'] },
      competitors: [{ name: 'Globex', domains: ['globex.test'] }],
      prompts: [
        'Which CRM suits a small agency?',
        { text: 'How much does a CRM cost?', topic: 'Costs', tags: ['Money'] },
      ],
      members: [{ email: 'ada@agency.example', role: 'admin' }],
      messages: ['client@acme.example'],
    };
    const content = JSON.stringify({ workspaces: [short] });
    const before = await stored();
    await apply(content);
    const kept = await stored();
    const tags = ['CRM', 'Costs (topic)', 'Money'];
    expect(kept).toEqual({ ...before, revisions: kept.revisions, tags });
    const pruned = await apply(content, '--prune', '--json');
    expect(JSON.parse(pruned.stdout).changes).toMatchObject([
      { kind: 'competitor', action: 'archived', names: ['Initech'] },
      { kind: 'competitor', action: 'changed', names: ['Globex'] },
      { kind: 'tag', action: 'removed', names: ['CRM: 1 prompt'] },
      { kind: 'prompt', action: 'switched off', names: { length: 1 } },
      { kind: 'member', action: 'removed', names: ['client@acme.example'] },
      { kind: 'recipient', action: 'removed', names: ['hooks.agency.example/acme'] },
      // Their mail ended with their role; the file names the address all the same.
      { kind: 'recipient', action: 'added', names: ['client@acme.example'] },
    ]);
    const { subjects } = JSON.parse(
      (await run('subject', 'list', '--workspace', 'acme', '--json')).stdout,
    );
    expect(subjects).toMatchObject([
      // The file has no list of the brand's aliases.
      { name: 'Acme', aliases: [{ alias: 'Acme CRM' }], domains: ['acme.example', 'acme.test'] },
      { name: 'Globex', domains: ['globex.test'] },
    ]);
    expect(await apply(content, '--prune')).toMatchObject({ code: 0, stdout: '' });
  });
});

eachDatabase('people and budgets of overheard apply', (create) => {
  test('the last admin of a workspace is not lowered, and a disabled user is not enabled', async () => {
    const { apply, stored, run } = await prepare(create);
    await apply(example);
    const before = await stored();
    const lowered = await apply(example.replace('role: admin', 'role: viewer'));
    expect(lowered.stderr).toContain(
      'field "workspaces[0].members": A workspace keeps at least one admin.',
    );
    await run('user', 'disable', 'client@acme.example');
    const disabled = await apply(example.replace('[Acme CRM]', '[Acme CRM, AcmeCRM]'));
    expect(disabled.stderr).toContain('members[1].email": client@acme.example is disabled.');
    expect((await stored()).revisions).toEqual(before.revisions);
  });

  test('a workspace is asked on the engines that the file names, and on no engine that is not set up', async () => {
    const { apply, run } = await prepare(create);
    for (const name of ['one_api', 'two_api']) {
      const local = ['--base-url', 'https://one.example/v1', '--model', 'm', '--bound', '0.01'];
      expect(await run('engine', 'add', name, ...local)).toMatchObject({ code: 0 });
    }
    const choosing = (engines: string) =>
      example.replace('# engines: [chatgpt_api, perplexity_api]', `engines: ${engines} #`);
    const planned = async () => {
      const plan = await run('collect', 'plan', '--workspace', 'acme', '--json');
      const { groups, off } = JSON.parse(plan.stdout);
      return { asked: [...new Set(groups.map((each: { engine: string }) => each.engine))], off };
    };
    expect(await apply(example)).toMatchObject({ code: 0 });
    expect((await planned()).asked).toEqual(['one_api', 'two_api']);
    expect(await apply(choosing('[two_api]'))).toMatchObject({ code: 0 });
    expect(await planned()).toEqual({
      asked: ['two_api'],
      off: [{ engine: 'one_api', reason: 'not_chosen' }],
    });
    expect((await apply(choosing('[two_api]'))).stderr).toContain('Nothing changed');
    const unknown = await apply(choosing('[two_api, three_api]'));
    expect(unknown.stderr).toContain('engines[1]": There is no engine "three_api"');
    const budget = ['--day', '1', '--month', '9', '--workspace', 'acme'];
    await run('budget', 'set', ...budget);
    expect((await planned()).asked).toEqual(['two_api']);
    await run('budget', 'set', ...budget, '--engine', 'all');
    expect((await planned()).asked).toEqual(['one_api', 'two_api']);
  });

  test('a lower budget of an admin stays while the one of the file does not change', async () => {
    const url = await create();
    const { apply, stored } = await prepare(async () => url);
    await apply(example);
    const store = await openStore(url);
    const ledger = await store.ledger();
    await ledger?.db.updateTable('allowances').set({ day_micros: 1 }).execute();
    await store.close();
    await apply(example);
    expect((await stored()).allowances).toEqual([1, 1]);
    await apply(example.replace('day: 2', 'day: 3'));
    expect((await stored()).allowances).toEqual([3_000_000, 3_000_000]);
  });
});

eachDatabase('faults of a file of workspaces', (create) => {
  const brand = 'brand: { name: A }';
  test.each([
    ['workspaces: [', 1, 'expected YAML or JSON'],
    [
      `workspaces:\n  - slug: a\n    name: A\n    ${brand}\n    promts: []`,
      5,
      'expected prompts; there is no field of this name',
    ],
    [
      `workspaces:\n  - slug: a\n    name: A\n    ${brand}\n    members: [{ email: a@b.example, role: boss }]`,
      5,
      'one of viewer, editor, admin, found "boss"',
    ],
  ])('%j is refused with line %i', async (content, line, words) => {
    const { apply, stored } = await prepare(create);
    const before = await stored();
    const refused = await apply(content);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`standard input:${line}: `);
    expect(refused.stderr).toContain(words);
    expect(await stored()).toEqual(before);
  });
});

/** A database with a workspace that no file names, and what is stored in it. */
async function prepare(create: Create) {
  const url = await create();
  const run = (...args: readonly string[]) => runCommand([...args, '--database', url], { clock });
  await run('workspace', 'create', 'other', '--name', 'Other', '--brand', 'Other');
  const apply = (content: string, ...options: readonly string[]) =>
    runCommand(['apply', '-', ...options, '--database', url], { stdin: content, clock });
  return { run, apply, stored };

  async function stored() {
    const store = await openStore(url);
    const { reader, access } = store;
    const ledger = await store.ledger();
    const from = {
      revisions: await reader.selectFrom('revisions').selectAll().orderBy('workspace_id').execute(),
      imports: (await reader.selectFrom('imports').select('id').execute()).length,
      prompts: (
        await reader.selectFrom('prompts').select('id').where('active', '=', true).execute()
      ).length,
      subjects: await reader
        .selectFrom('subjects')
        .select('name')
        .where('archived_at', 'is', null)
        .execute(),
      tags: await reader.selectFrom('prompt_tags').select(['tag', 'is_topic']).execute(),
      events: (await access.selectFrom('events').select('id').execute()).length,
      members: await access.selectFrom('members').select('role').execute(),
      recipients: await access.selectFrom('recipients').select('address').execute(),
      allowances: (await ledger?.db.selectFrom('allowances').select('day_micros').execute()) ?? [],
    };
    await store.close();
    const { members, ...rest } = from;
    return {
      ...rest,
      tags: from.tags
        .map(({ tag, is_topic: isTopic }) => (isTopic ? `${tag} (topic)` : tag))
        .toSorted(),
      subjects: from.subjects.map(({ name }) => name).toSorted(),
      roles: members.map(({ role }) => role).toSorted(),
      recipients: from.recipients.map(({ address }) => address).toSorted(),
      allowances: from.allowances.map(({ day_micros: micros }) => micros),
    };
  }
}
