import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../commands/command-line.ts';
import { spawnCommand } from '../commands/spawn-command.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../../..', name), 'utf8');
const image = read('Dockerfile').slice(read('Dockerfile').lastIndexOf('FROM '));

/** The words of an instruction that has them as JSON. */
function wordsOf(instruction: string): string[] {
  const [, json = ''] = new RegExp(`^${instruction}[^[]*(\\[.*\\])$`, 'm').exec(image) ?? [];
  return z.array(z.string()).parse(JSON.parse(json));
}

test(
  'the image starts a server that its health check finds healthy, and SIGTERM ends it',
  { tags: ['long'] },
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'overheard-container-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const settings = [...image.matchAll(/^ENV (\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace('/data', data)] as const,
    );
    expect(wordsOf('ENTRYPOINT')).toEqual(['overheard']);
    const { child, ended } = spawnCommand(wordsOf('CMD'), {
      env: { ...Object.fromEntries(settings), OVERHEARD_PORT: '0' },
    });
    let said = '';
    while (!said.includes('listens on')) said += String(await once(child.stderr, 'data'));
    const [, port = ''] = /listens on http:\/\/[\d.]+:(\d+)/.exec(said) ?? [];
    const [program, ...args] = wordsOf('HEALTHCHECK');
    expect(program).toBe('node');
    const isHealthy = () =>
      spawnSync(
        process.execPath,
        args.map((word) => word.replace('8484', port)),
      ).status === 0;
    expect(isHealthy()).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    expect(isHealthy()).toBe(false);
  },
);

test(
  'every setting of the image and of the compose file is one that `serve` knows',
  { tags: ['long'] },
  async () => {
    const { stdout } = await runCommand(['serve', '--help']);
    const names = [...`${image}\n${read('compose.yaml')}`.matchAll(/\b(OVERHEARD_[A-Z_]+)[:=]/g)];
    expect(names.length).toBeGreaterThan(3);
    for (const [, name = ''] of names) expect(stdout).toContain(name);
  },
);
