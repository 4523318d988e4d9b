import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@overheard/contract';
import { expect, test } from 'vitest';
import { runnableBlocks, runShell } from './run-shell.ts';
import { repository } from '../source-files.ts';

const page = readFileSync(join(repository, 'docs/operations.md'), 'utf8');

/** Plays the service manager, and makes the folders that the page names. */
const setUp = `
  overheard() { npx overheard "$@"; }
  server=
  stop() {
    [ -n "$server" ] || return 0
    # Until a process has ended, its port still takes connections, and resets them.
    kill "$1" "$server"; wait "$server" || true; server=
  }
  systemctl() {
    if [ "$1" = stop ]; then stop -TERM; return; fi
    npx overheard serve > log.txt & server=$!
    sleep 2 > ready.txt
  }
  answers() {
    curl -sSf -H "Authorization: Bearer $KEY" -w '\\n' ${endpoints.map(({ path }) => `http://127.0.0.1:8484${path}`).join(' ')}
  }
  mkdir data backups
  export OVERHEARD_DATABASE="file:$PWD/data/overheard.db"
  overheard workspace create acme --name Acme --brand Acme
  for kind in prompts scores detections actions hits; do
    overheard import "$kind" "examples/$kind.csv" --workspace acme
  done
  KEY=$(overheard key create --workspace acme)
  systemctl start overheard
  answers > before.txt
`;

/** Data written after the backup, then a loss of the files that leaves their logs behind. */
const loss = `
  echo '{"recommendation":"Made after the backup.","priority":"high"}' |
    overheard import actions - --workspace acme
  answers > later.txt
  stop -KILL
  rm data/overheard.db data/overheard.access.db
  ls data/*-wal
`;

const comparison = `
  answers > after.txt
  cmp before.txt after.txt && ! cmp -s later.txt after.txt && echo "the same $(wc -c < after.txt) bytes"
`;

test(
  'a backup by the page’s instructions gives back the same answers, to the byte',
  { tags: ['long'] },
  async () => {
    const [backup = '', restore = ''] = runnableBlocks(page).map((block) =>
      block.replaceAll('/var/lib/overheard', 'data').replaceAll('/backups', 'backups'),
    );
    expect(restore).toContain('systemctl stop');
    const script = [setUp, backup, loss, restore, comparison].join('\n');
    const { code, output } = await runShell(script);
    expect(output).toMatch(/the same \d{4,} bytes/);
    expect(code).toBe(0);
  },
);
