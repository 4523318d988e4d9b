import { settings } from '../../../config.ts';
import { diagnose } from '../../../storage/open/diagnose.ts';
import type { Finding } from '../../../storage/finding.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import { createKeysFile } from '../../../storage/sqlite/migrate.ts';
import { plural } from '../../../values/plural.ts';
import { defineCommand } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import type { Io } from '../../terminal/io.ts';
import { checkEngines } from './check-engines.ts';
import { checkPort, checkPublicUrl } from './check-server.ts';
import { checkBackups, checkGrowth } from '../backup/kept-backups.ts';
import { checkLists } from '../../operator-lists/check-lists.ts';
import { printWords } from '../../terminal/print.ts';
import { Refusal, refusalParts, refusalWords } from '../../../refusals.ts';

const { backups, database, host, port, publicUrl } = settings;

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check the database and advise what to do',
  description:
    'Checks the connection, permissions, schema, integrity, clock and space of the database, and gives advice for each problem. With --port it asks whether this server answers there, and with --public-url whether the proxy passes keys and uploads. With --backups it reports the newest one and, from their sizes, when the disk will be full. Reads the whole of an embedded database, which takes seconds per gigabyte. Changes nothing, but the first command after an embedded database was restored or moved notes that, and this one may be the first. Ends with 1 if there is a problem.',
  options: {
    newKeysFile: flag('if the file of the keys is lost: make an empty one first'),
    database,
    backups,
    host,
    port,
    publicUrl,
  },
  json: '{"findings":[{check, state, message, advice}]}',
  examples: [
    'overheard doctor',
    'overheard doctor --database postgres://overheard@db.example/overheard',
    `overheard doctor --json | jq '.findings[] | select(.state != "ok")'`,
    'overheard doctor --port 8484 --public-url https://overheard.example.com',
    'overheard doctor --new-keys-file',
    '    Use this if the file of the keys is lost and has no backup. Every key must be made again.',
  ],
  run: async ({ io, sourceOf }, { database: url, newKeysFile, backups: folder, ...address }) => {
    if (newKeysFile) await makeKeysFile(io, url);
    const diagnosis = await diagnose(url, io);
    // Opening an older or damaged database could change it, or fail.
    const isSound = diagnosis.every(
      ({ state, check }) => state === 'ok' || check === 'disk' || check === 'clock',
    );
    const lists = isSound ? await checkLists(url, io) : [];
    const engines = isSound ? await checkEngines(url, io.environment ?? {}) : [];
    const kept =
      folder === undefined || !isSound || (await isPostgresUrl(url))
        ? []
        : [
            checkBackups({ folder, database: url, nowMs: io.clock() }),
            ...checkGrowth({ folder, database: url, nowMs: io.clock() }),
          ];
    const reached = [
      // Whoever names no port may run no server.
      ...(sourceOf('port') === 'default' ? [] : [await checkPort(address, io)]),
      ...(address.publicUrl === undefined ? [] : await checkPublicUrl(address.publicUrl, io)),
    ];
    const findings = [...diagnosis, ...lists, ...engines, ...kept, ...reached].map(inWords);
    const problems = findings.filter(({ state }) => state === 'problem').length;
    return {
      // Text is printed with commands as they are typed, JSON is not.
      json: {
        findings: findings.map(({ advice, ...finding }) => ({
          ...finding,
          advice: advice && io.asTyped(advice),
        })),
      },
      text: findings.map(lineOf).join('\n'),
      ...(problems > 0
        ? { failure: `${plural(problems, 'problem')} found.` }
        : { words: 'No problem found.' }),
    };
  },
});

async function makeKeysFile(io: Io, url: string): Promise<void> {
  if (await isPostgresUrl(url)) {
    throw new Refusal('keys_file_of_postgres', {});
  }
  const files = databaseFiles(sqlitePath(url));
  await createKeysFile(files);
  printWords(
    io,
    `Made ${files.access} without any key: every old one is void. Make new ones with \`overheard key create\`.`,
  );
}

function inWords({ refusal, ...finding }: Finding): Omit<Finding, 'refusal'> {
  if (refusal === undefined) return finding;
  if (finding.message !== '') return { ...finding, advice: refusalWords(refusal) };
  const [message, advice = null] = refusalParts(refusal);
  return { ...finding, message, advice };
}

function lineOf({ check, state, message, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(11)} ${message}`;
  return advice === null ? line : `${line}\n${' '.repeat(21)}-> ${advice}`;
}
