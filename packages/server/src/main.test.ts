import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { program } from '../test/commands/command-line.ts';

test.each([
  ['stdout', '--help', 0],
  ['stderr', '--unknown', 2],
] as const)(
  'a reader of %s that has left is no failure: %s ends with %i as it does otherwise',
  async (closed, option, expected) => {
    // The shell's `sleep` lets the reader leave before the first line is written.
    const args = ['-c', 'sleep 0.3; "$0" "$@"', process.execPath, program, option];
    const child = spawn('sh', args, { env: {} });
    child[closed].destroy();
    const other = closed === 'stdout' ? child.stderr : child.stdout;
    let said = '';
    other.on('data', (chunk: Buffer) => (said += String(chunk)));
    const [code] = await once(child, 'close');
    expect(said).toBe('');
    expect(code).toBe(expected);
  },
);
