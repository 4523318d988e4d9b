import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const scripts = join(import.meta.dirname, '../scripts/debian');

/** A folder in place of a machine's root. */
function aMachine(): string {
  const root = mkdtempSync(join(tmpdir(), 'overheard-debian-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of ['etc/overheard', 'usr/lib/overheard/bin', 'run/systemd/system', 'bin'])
    mkdirSync(join(root, path), { recursive: true });
  return root;
}

/** A script of the package, with the machine's paths in the folder. */
function scriptIn(root: string, name: string): string {
  return readFileSync(join(scripts, name), 'utf8').replaceAll(
    /(?<=[ '])\/(etc|usr|run|var)\//g,
    (_, folder) => `${root}/${folder}/`,
  );
}

function commandIn(root: string, isRoot: boolean) {
  const script = scriptIn(root, 'overheard').replace('process.getuid() === 0', String(isRoot));
  const file = join(root, 'overheard.mjs');
  writeFileSync(file, script);
  const program = 'process.stdout.write(JSON.stringify(process.env));';
  writeFileSync(join(root, 'usr/lib/overheard/bin/overheard.js'), program);
  return spawnSync(process.execPath, [file], { encoding: 'utf8', env: { GIVEN: 'by hand' } });
}

test('the command reads settings as systemd does, and a variable of the shell goes first', () => {
  const root = aMachine();
  const lines = [
    '# A=comment',
    '; B=comment',
    'OVERHEARD_DATABASE=postgres://o:p#ss@db/x',
    'C = a b # c ',
    'D="in quotes # d"',
    "E='in quotes'",
    'F=',
    'GIVEN=in the file',
  ];
  writeFileSync(join(root, 'etc/overheard/overheard.env'), lines.join('\n'));
  const { stdout } = commandIn(root, false);
  expect(JSON.parse(stdout)).toMatchObject({
    OVERHEARD_DATABASE: 'postgres://o:p#ss@db/x',
    C: 'a b # c',
    D: 'in quotes # d',
    E: 'in quotes',
    F: '',
    GIVEN: 'by hand',
  });
  expect(JSON.parse(stdout)).not.toHaveProperty('A');
  expect(JSON.parse(stdout)).not.toHaveProperty('B');
});

test('as root, the command does not run without the settings of the service', () => {
  expect(commandIn(aMachine(), true)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(
      'overheard.env, which names the database, cannot be read (ENOENT)',
    ),
  });
  expect(commandIn(aMachine(), false).status).toBe(0);
});

test.each(['abort-upgrade', 'abort-remove', 'abort-deconfigure'])(
  'postinst %s starts the service that prerm has stopped',
  (action) => {
    const root = aMachine();
    for (const name of ['systemctl', 'deb-systemd-invoke']) {
      const stub = `#!/bin/sh\necho "${name} $*"\n`;
      writeFileSync(join(root, 'bin', name), stub, { mode: 0o755 });
    }
    const run = (given: string) =>
      execFileSync('/bin/sh', ['-c', scriptIn(root, 'postinst'), 'postinst', given, '0.1.0'], {
        encoding: 'utf8',
        env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
      });
    expect(run(action)).toContain('deb-systemd-invoke start overheard.service');
    expect(run('triggered')).toBe('');
  },
);
