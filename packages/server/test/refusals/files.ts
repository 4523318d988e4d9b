import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { refuseIfStopped } from '../../src/rows/refuse-if-stopped.ts';
import { writeToStream } from '../../src/transfer/write-output.ts';
import type { Outcome } from '../commands/command-line.ts';
import { refusedIn, runInAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const fileCases = {
  stopped: {
    facts: () => ({}),
    provoke: () => refusedIn((async () => refuseIfStopped(AbortSignal.abort()))()),
  },
  file_damaged: {
    facts: () => ({ file: 'prompts.csv.gz' }),
    provoke: (place) =>
      importPrompts(place, 'prompts.csv.gz', gzipSync('text\nbest crm\n').subarray(0, 15)),
  },
  file_encoding_wide: {
    facts: () => ({ file: 'prompts.csv', encoding: 'UTF-16' }),
    provoke: (place) =>
      importPrompts(place, 'prompts.csv', Buffer.from('text\nbest crm\n', 'utf16le')),
  },
  file_not_utf8: {
    facts: () => ({ file: 'prompts.csv', line: 2 }),
    provoke: (place) =>
      importPrompts(place, 'prompts.csv', Buffer.from('text\ncaf\u00e9\n', 'latin1')),
  },
  row_too_long: {
    facts: () => ({ file: 'prompts.ndjson', line: 1, bytesMax: 2 ** 25 }),
    provoke: (place) => importPrompts(place, 'prompts.ndjson', 'x'.repeat(2 ** 25 + 1)),
  },
  columns_invalid: {
    facts: () => ({
      file: 'prompts.csv',
      faults: [{ line: 1, field: 'txt', expected: 'text; there is no field of this name' }],
      unknown: ['txt'],
      isUndivided: false,
    }),
    provoke: (place) => importPrompts(place, 'prompts.csv', 'txt,locale\nbest crm,en-US\n'),
  },
  rows_invalid: {
    facts: () => ({
      file: 'prompts.ndjson',
      faults: [{ line: 1, expected: 'a JSON object', found: '["best crm"]' }],
      hidden: 0,
      unknown: [],
    }),
    provoke: (place) => importPrompts(place, 'prompts.ndjson', '["best crm"]'),
  },
  output_exists: {
    facts: (folder) => ({ path: join(folder, 'prompts.csv') }),
    provoke: async (place) => {
      await writeFile(join(place.folder, 'prompts.csv'), '');
      return exportPrompts(place, 'prompts.csv');
    },
  },
  output_not_file: {
    facts: (folder) => ({ path: join(folder, 'prompts.csv') }),
    provoke: async (place) => {
      await mkdir(join(place.folder, 'prompts.csv'));
      return exportPrompts(place, 'prompts.csv', '--force');
    },
  },
  output_unwritable: {
    facts: () => ({ path: undefined, errno: 'ENOSPC' }),
    provoke: () => {
      const failure = Object.assign(new Error('full'), { code: 'ENOSPC' });
      const full = new Writable({ write: (_chunk, _encoding, done) => done(failure) });
      return refusedIn(writeToStream(full, (write) => write('text')));
    },
  },
} as const satisfies Partial<RefusalCases>;

async function importPrompts(
  place: Place,
  name: string,
  content: string | Uint8Array,
): Promise<Outcome> {
  const file = join(place.folder, name);
  await writeFile(file, content);
  return runInAcme(place, 'import', 'prompts', file);
}

function exportPrompts(place: Place, name: string, ...more: string[]): Promise<Outcome> {
  return runInAcme(place, 'export', 'prompts', '--output', join(place.folder, name), ...more);
}
