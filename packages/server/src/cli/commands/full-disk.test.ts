import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtProgram } from '../../../test/commands/spawn-command.ts';

/** A disk of a few megabytes, seen by one script alone. Not every system lets its users mount one. */
const mounted = [
  '-c',
  'exec unshare "$@"',
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  // Whatever still runs ends with the script, also if that is cut off.
  '--pid',
  '--fork',
  '--kill-child',
  'bash',
  '-euo',
  'pipefail',
  '-c',
];
const mayMount =
  spawnSync('bash', [...mounted, 'mount -t tmpfs -o size=1m tmpfs /tmp']).status === 0;

/** A database with a server, and rows that it has no room for. */
const setUp = `
  overheard() { "$NODE" "$PROGRAM" "$@"; }
  mount -t tmpfs -o size=12m tmpfs "$FOLDER"
  cd "$FOLDER"
  server=
  trap 'kill -9 $server 2> /dev/null || true' EXIT
  overheard workspace create acme --name Acme --brand Acme
  KEY=$(overheard key create --workspace acme)
  start() {
    # Emptied here: what an earlier server said is not taken for this one's.
    : > said
    # Not by the function: that would be a shell of its own, and its end not the server's.
    "$NODE" "$PROGRAM" serve --port 0 --log-level error 2>> said >> log & server=$!
    until grep -q 'listens on' said; do sleep 0.05; done
    url=$(sed -n 's/.*listens on //p' said)
  }
  status() { curl -s -o /dev/null -w '%{http_code}\\n' -H "Authorization: Bearer $KEY" "$url/api/v1/prompts"; }
  rows() { seq -f '{"text":"%0500.0f","language":"en","locale":"en-US"}' 40000; }
  free() { df --output=avail -k . | tail -1; }
  fill() { cat /dev/zero > filler 2> /dev/null || true; }
`;

describe.runIf(mayMount)('on a full disk (skipped where no disk can be mounted)', () => {
  test('an import that does not fit gives its room back, and a key can be revoked although no byte is free', () => {
    const { output } = run(`
      start
      before=$(free)
      rows | overheard import prompts - --workspace acme || echo "import ended with $?"
      echo "status $(status)"
      [ $(( before - $(free) )) -lt 1024 ] && echo 'room is back'
      fill
      echo "free $(free)"
      overheard key revoke "$KEY"
      echo "status $(status)"
    `);
    expect(output).toContain('The disk is full');
    expect(output).toMatch(
      /import ended with 1\nstatus 200\nroom is back\nfree +0\nRevoked the key/,
    );
    expect(output).toMatch(/status 401\n$/);
  });

  test('without a server, a key can be revoked although no byte is free, and is refused on the next request', () => {
    const { output } = run(`
      fill
      echo "free $(free)"
      overheard key revoke "$KEY"
      rm filler
      start
      echo "status $(status)"
    `);
    expect(output).toMatch(/free +0\nRevoked the key/);
    expect(output).toMatch(/status 401\n$/);
  });

  test('a key can be revoked on a disk that a killed import filled', { tags: ['long'] }, () => {
    const { output } = run(`
      start
      rows | "$NODE" "$PROGRAM" import prompts - --workspace acme & import=$!
      until [ "$(free)" -lt 5000 ]; do sleep 0.02; done
      kill -9 "$import"
      wait "$import" || true
      fill
      kill -9 "$server"; wait "$server" || true; server=
      overheard key revoke "$KEY"
      rm filler
      start
      echo "status $(status)"
    `);
    expect(output).toMatch(/status 401\n$/);
  });
});

/** Runs a script on a disk of its own. */
function run(script: string): { output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const whole = `exec 2>&1\n${setUp}\n${script}`;
  const { stdout } = spawnSync('bash', [...mounted, whole], {
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      FOLDER: folder,
      NODE: process.execPath,
      PROGRAM: builtProgram(),
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { output: stdout };
}
