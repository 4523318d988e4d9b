import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../packages/server/test/commands/command-line.ts';
import { repository } from '../source-files.ts';

const bin = join(repository, 'node_modules/.bin');
const snippet = z.object({
  mcpServers: z.object({
    overheard: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
});
const listing = z.object({ id: z.literal(2), result: z.object({ tools: z.array(z.unknown()) }) });

test('a hint names the command as it was called', { tags: ['long'] }, () => {
  const { folder, run } = place();
  const calls: Array<[string, string, Record<string, string>]> = [
    ['npx overheard', repository, { npm_command: 'exec' }],
    ['npx overheard', repository, {}],
    [`npx --prefix ${repository} overheard`, folder, { npm_command: 'exec' }],
    ['overheard', repository, { PATH: ['/usr/bin', bin].join(delimiter) }],
  ];
  for (const [program, cwd, env] of calls) {
    const output = run(['workspace', 'list', '--database', `file:${folder}/a.db`], { cwd, env });
    expect(output).toContain(
      ` with \`${program} workspace create --database file:${folder}/a.db\``,
    );
  }
});

test('no help, result, refusal or advice has a command that the reader cannot type', async () => {
  const { folder } = place();
  const database = ['--database', `file:${join(folder, 'a.db')}`];
  for (const [line, ...more] of [
    ['--help'],
    ['help key'],
    ['help workspace create'],
    ['doctor', ...database],
    ['doctor --json', ...database],
    ['workspace create acme --name Acme --brand Acme', ...database],
    ['key list', ...database],
    ['key revoke nothing', ...database],
    ['subject remove nobody --workspace acme', ...database],
    ['bots explain GPTBot/1.3 --ip 20.171.207.5 --no-dns', ...database],
  ]) {
    const args = [...(line ?? '').split(' '), ...more];
    const { stdout, stderr } = await runCommand(args, { calledAs: 'npx overheard' });
    const named =
      (stdout + stderr).match(/\S*(?<=[\s`(])overheard (?=[a-z]{3,}|--|COMMAND|\[)/g) ?? [];
    const typed = (stdout + stderr).match(/npx overheard (?=[a-z]{3,}|--|COMMAND|\[)/g) ?? [];
    expect([line, typed.length]).toEqual([line, Math.max(1, named.length)]);
  }
});

test(
  'the assistant configuration that `key create` prints starts a program that answers',
  { tags: ['long'] },
  async () => {
    const { folder, run } = place();
    const env = { OVERHEARD_DATABASE: `file:${join(folder, 'a.db')}` };
    run(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'], { cwd: folder, env });
    const output = run(['key', 'create', '--workspace', 'acme'], { cwd: folder, env });
    const [, key = ''] = /^(overheard_\S+)$/m.exec(output) ?? [];
    const [json = ''] = /\{"mcpServers".*/.exec(output) ?? [];
    const { command, args, env: given } = snippet.parse(JSON.parse(json)).mcpServers.overheard;
    // A host starts it from its own folder, without the PATH of a shell.
    const child = spawn(command, args, {
      cwd: tmpdir(),
      env: { ...given, OVERHEARD_API_KEY: key },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: string[] = [];
    child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
    const closed = once(child, 'close');
    const send = (message: object): unknown =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
    await expect.poll(() => chunks.join('')).toMatch(/"id":2.*\n/);
    child.stdin.end();
    await closed;
    const answers = chunks.join('').trim().split('\n');
    const list = answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2);
    expect(listing.parse(list).result.tools.length).toBeGreaterThanOrEqual(5);
  },
);

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-hints-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
  ): string => {
    const outcome = spawnSync(process.execPath, [join(bin, 'overheard'), ...args], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return outcome.stdout + outcome.stderr;
  };
  return { folder, run };
}
