import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@overheard/contract';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';

test(
  'the demo prints a command for each endpoint that works, and one that asks its engine; Ctrl-C leaves nothing behind',
  { tags: ['long'] },
  async () => {
    const { collect, commands, end, folder } = await startDemo(['--commands', '--port', '0']);
    expect(demosIn(folder)).toHaveLength(1);
    const counts = new Map<string, number>();
    for (const { url, key } of commands) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(200);
      const endpoint = endpoints.find(({ path }) => path === new URL(url).pathname);
      const body = z.record(z.string(), z.unknown().array()).parse(await response.json());
      const rows = endpoint?.row.array().parse(body[endpoint.array]) ?? [];
      counts.set(url.slice(new URL(url).origin.length), rows.length);
    }
    const byPrompt = counts.keys().find((path) => path.includes('prompt_id')) ?? '';
    expect(counts.get(byPrompt)).toBeGreaterThan(50);
    counts.delete(byPrompt);
    expect(Object.fromEntries(counts)).toEqual({
      '/api/v1/scores': 280,
      '/api/v1/prompts': 40,
      '/api/v1/actions?status=open': 19,
      '/api/v1/agent-hits': 500,
      '/api/v1/detections': 1000,
    });

    const asked = await spawnCommand(collect).ended;
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.stderr).toMatch(/Asked 38 questions for \$0\.3800; imported 38 runs\./);
    const [{ url, key } = { url: '', key: '' }] = commands;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(await response.text()).toContain('"engine":"made_up_api"');
    expect(await end()).toMatchObject({ code: 0 });
    expect(demosIn(folder)).toEqual([]);
  },
);

/** The demo's folders; Node keeps compiled code beside them. */
function demosIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('overheard-demo-'));
}

/** Starts the demo in a temporary folder of its own and waits for its commands. */
async function startDemo(args: readonly string[], { until = /\| tr/ }: { until?: RegExp } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { child, ended } = spawnCommand(['demo', ...args], {
    env: { TMPDIR: folder },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (until.test(printed)) resolve();
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const commands = [...printed.matchAll(/Bearer (?<key>\w+)' '(?<url>[^']+)'/g)].map((match) => ({
    key: match.groups?.['key'] ?? '',
    url: match.groups?.['url'] ?? '',
  }));
  const link = /\S+\/sign-in\/[\w-]{43}/.exec(said)?.[0] ?? '';
  const collect = /overheard (?<words>collect run .+)/.exec(said)?.groups?.['words'] ?? '';
  return {
    link,
    collect: collect.split(' '),
    child,
    folder,
    commands,
    end: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}
