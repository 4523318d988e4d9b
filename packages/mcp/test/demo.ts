import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keyPattern } from '@overheard/contract';

const overheard = fileURLToPath(new URL('../../server/bin/overheard.js', import.meta.url));

/** The demo as somebody starts it who follows the documentation, with its address and key. */
export async function startDemo({ quota }: { quota: number }) {
  const args = ['demo', '--commands', '--port', '0', '--quota', String(quota)];
  const child = spawn(process.execPath, [overheard, ...args]);
  const said = await saidUntil(child, /The key: .+\n/);
  return {
    child,
    url: /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? '',
    key: keyPattern.exec(said)?.[0] ?? '',
  };
}

/** What a program says for people, up to what is waited for. */
function saidUntil({ stderr }: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    stderr?.on('data', (text) => {
      said += String(text);
      if (wanted.test(said)) resolve(said);
    });
  });
}
