import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test/commands/command-line.ts';
import { storeGrant } from '../../test/servers/assistants.ts';
import { findByEmail } from '../people/users.ts';
import { openStore } from '../storage/open/open-store.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { settings, variableOf } from '../config.ts';
import { createProgram } from './run-cli.ts';

const program = await createProgram({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  isTerminal: false,
  asTyped: (words) => words,
  clock: () => 0,
  fetch: globalThis.fetch,
  signal: new AbortController().signal,
});
const leaves = program.commands.flatMap((command) => leavesOf(command, ''));

/** Commands whose stdout is their result as it is: logs of a server, rows, or one secret. */
const withoutJson = [
  'answers export',
  'collect worker',
  'demo',
  'export',
  'serve',
  'workspace export-secret',
];

test('each command but those whose output is rows or a secret has --json', () => {
  const without = leaves.filter(
    ([, { options }]) => !options.some(({ long }) => long === '--json'),
  );
  expect(without.map(([name]) => name).toSorted()).toEqual(withoutJson);
});

test('each setting is an option of a command', () => {
  // A secret is a variable alone: the arguments of a process are public.
  expect(settingsWithoutCommand(Object.keys(settings))).toEqual(['originSecret', 'smtp']);
});

test('a setting that no command takes is noticed', () => {
  expect(settingsWithoutCommand(['host', 'hostname'])).toEqual(['hostname']);
});

test('the output of --json has keys in snake case, and the help names the outer ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-json-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `file:${join(folder, 'a.db')}`;
  const files = {
    'list.json': JSON.stringify({ prefixes: [{ ipv4Prefix: '20.171.206.0/24' }] }),
    'access.log': `20.171.206.7 - - [20/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 403 1 "-" "GPTBot/1.3"\n`,
    'answers.json': JSON.stringify([
      {
        prompt: 'Which?',
        engine: 'chatgpt',
        run_at: '2026-11-20T10:00:00Z',
        answer: 'Acme, Globex.',
      },
    ]),
    'actions.json': JSON.stringify([{ id: actionId, recommendation: 'Do.', priority: 'low' }]),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const secret = 'ab'.repeat(32);
  const seen = new Set<string>();
  for (const [line, stdin = ''] of [
    ['workspace create acme --name Acme --brand Acme'],
    ['workspace create other --name Other --brand Other'],
    ['workspace set other --name Others'],
    ['workspace archive other'],
    ['workspace unarchive other'],
    ['workspace list'],
    ['workspace import-secret other -', secret],
    [
      'apply -',
      'workspaces: [{ slug: other, name: Others, brand: { name: Other }, competitors: [] }]',
    ],
    ['subject add Globex --workspace acme'],
    ['subject list --workspace acme'],
    ['subject suggest --workspace acme'],
    ['subject dismiss Hooli --workspace acme'],
    ['subject set Globex --workspace acme --add-alias GBX'],
    [`answers import ${folder}/answers.json --workspace acme`],
    ['subject set Globex --workspace acme --add-alias Glob --dry-run'],
    ['answers redetect --workspace acme'],
    ['answers list --workspace acme'],
    ['answers show RUN --workspace acme'],
    ['prompts add Which? --workspace acme'],
    ['prompts list --workspace acme'],
    ['prompts tag --search Which --tag CRM --workspace acme'],
    ['prompts tag --workspace acme'],
    ['answers remove --engine chatgpt --workspace acme --dry-run'],
    ['engine add own_api --base-url http://127.0.0.1:9/v1 --model m --bound 0'],
    ['budget set --workspace acme --day 1 --month 10'],
    ['budget cap'],
    ['budget show --workspace acme'],
    ['stance set --workspace acme --engine own_api --day 1 --month 10'],
    ['stance estimate --workspace acme'],
    ['collect estimate --workspace acme'],
    // All prompts are off, so nothing is asked.
    ['collect plan --workspace acme'],
    ['collect reread --workspace acme'],
    ['database restored'],
    ['collect run --workspace acme'],
    ['stance run --workspace acme'],
    ['stance list --workspace acme'],
    ['stance check --workspace acme'],
    ['stance off --workspace acme'],
    ['collect status --workspace acme'],
    ['prompts collect on --all --workspace acme'],
    ['report show --workspace acme'],
    ['report publish --workspace acme'],
    ['report published --workspace acme'],
    ['report monthly on --workspace acme'],
    ['report unpublish PUBLISHED --workspace acme'],
    ['shares --workspace acme'],
    ['sources --workspace acme'],
    ['searches --workspace acme'],
    ['crawls --workspace acme'],
    ['changes --workspace acme'],
    ['scores explain --workspace acme --date 2026-11-20 --engine chatgpt'],
    ['scores rebuild --workspace acme'],
    [`import actions ${folder}/actions.json --workspace acme`],
    ['imports list --workspace acme'],
    ['imports revert 2 --workspace acme --dry-run'],
    ['actions derive --workspace acme'],
    ['actions list --workspace acme'],
    [`actions explain ${actionId} --workspace acme`],
    [`actions set ${actionId} --status in_progress --workspace acme`],
    ['key create --workspace acme'],
    ['key list'],
    ['key revoke KEY'],
    ['user link'],
    ['engine add chatgpt_api'],
    ['engine list'],
    ['engine disable chatgpt_api'],
    ['engine rekey'],
    ['user add ada@example.com --workspace acme --role viewer'],
    ['user list'],
    ['connector list'],
    ['connector end CONNECTION'],
    ['receiver add --workspace acme --from vercel'],
    ['receiver list'],
    ['receiver remove RECEIVER'],
    ['user disable ada@example.com'],
    [`ranges import ${folder}/list.json --list openai/gptbot --fetched-at 1h`],
    ['ranges list'],
    [`hits ingest ${folder}/access.log --workspace acme --no-dns --update-lists never`],
    ['robots import - --host www.acme.com --at 2026-11-19 --workspace acme', 'User-agent: *'],
    ['robots list --workspace acme'],
    ['robots report --workspace acme'],
    ['robots what-if - --host www.acme.com --workspace acme', 'User-agent: *'],
    ['robots remove --host www.acme.com --all --workspace acme'],
    ['referrals --workspace acme'],
    ['hits verify --workspace acme --no-dns'],
    ['hits explain HIT --workspace acme'],
    ['hits summary --workspace acme'],
    ['hits list --workspace acme'],
    ['hits lags --workspace acme'],
    ['hits remove --read --yes --workspace acme'],
    ['bots list'],
    ['bots explain GPTBot/1.3 --ip 20.171.206.7 --no-dns'],
    ['bots add AcmeFetch --company Acme --category user --workspace acme'],
    ['bots remove AcmeFetch --workspace acme'],
    ['sites add acme.dev --workspace acme'],
    ['sites list --workspace acme'],
    ['sites remove acme.dev --workspace acme'],
    ['ranges remove openai/gptbot --all'],
    ['message show --workspace acme'],
    ['message list --workspace acme'],
    ['message send'],
    ['prune --workspace acme'],
    [`backup ${folder}/backup`],
    [`restore ${folder}/backup`],
    ['doctor'],
    ['subject remove Globex --workspace acme'],
    ['workspace remove other --yes'],
  ] as const) {
    const words = await Promise.all(line.split(' ').map((each) => meant(each, database)));
    const clock = (): number => Date.parse('2026-11-20T13:00:00Z');
    const { code, stdout, stderr } = await runCommand(
      [...words, '--json', '--database', database],
      { stdin, clock },
    );
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
    const printed: unknown = JSON.parse(stdout);
    expect(keysOf(printed).filter((key) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(key))).toEqual([]);
    const [name, command] = leaves.find(([each]) => `${line} `.startsWith(`${each} `)) ?? [];
    const help = command?.options.find(({ long }) => long === '--json')?.description ?? '';
    const outer = Object.keys(Object(printed)).filter(
      (key) => !new RegExp(`\\b${key}\\b`).test(help),
    );
    expect([line, /\.\.\.\}$|as `list`|fields/.test(help) ? [] : outer]).toEqual([line, []]);
    seen.add(name ?? '');
  }
  const unseen = leaves.map(([name]) => name).filter((name) => !seen.has(name));
  // They need a cluster, another database, or the network.
  expect(unseen.toSorted()).toEqual(
    [
      ...withoutJson,
      'database copy',
      'database distribute',
      'engine test',
      'message test',
      'ranges update',
      'robots fetch',
    ].toSorted(),
  );
});

const actionId = '6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10';

/** The id for which a word of a command line stands. */
async function meant(word: string, database: string): Promise<string> {
  if (word === 'KEY' || word === 'RECEIVER') {
    const { stdout } = await runCommand([
      word.toLowerCase(),
      'list',
      '--json',
      '--database',
      database,
    ]);
    return String(/"id": "(.*?)"/.exec(stdout)?.[1]);
  }
  if (word === 'CONNECTION') {
    const store = await openStore(database);
    const workspace = await findWorkspace(store.reader, 'acme');
    const { user } = (await findByEmail(store.access, 'ada@example.com')) ?? {};
    const of = { workspaceId: workspace.id, userId: user?.id ?? '', clock: () => 0 };
    const id = await storeGrant(store, of);
    await store.close();
    return id;
  }
  if (word === 'PUBLISHED') {
    const line = ['report', 'published', '--json', '--workspace', 'acme', '--database', database];
    return String(/"id": "(.*?)"/.exec((await runCommand(line)).stdout)?.[1]);
  }
  if (word !== 'HIT' && word !== 'RUN') return word;
  const rows = word === 'HIT' ? ['export', 'hits'] : ['answers', 'export'];
  const line = [...rows, '--workspace', 'acme', '--database', database];
  return String(/"id":"(.*?)"/.exec((await runCommand(line)).stdout)?.[1]);
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([key, of]) => [key, ...keysOf(of)]);
}

function settingsWithoutCommand(names: readonly string[]): string[] {
  const taken = new Set(leaves.flatMap(([, { options }]) => options.map(({ envVar }) => envVar)));
  return names.filter((name) => !taken.has(variableOf(name)));
}

function leavesOf(command: Command, parent: string): Array<[string, Command]> {
  const name = `${parent}${command.name()}`;
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((child) => leavesOf(child, `${name} `));
}
