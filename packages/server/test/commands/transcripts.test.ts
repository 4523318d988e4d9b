import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './command-line.ts';

const paths = globSync(join(import.meta.dirname, 'transcripts/*.txt'));
const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');

/** Headings, files (`$ cat > NAME <<end`), and commands; what they printed before is skipped. */
const steps = /^(?:## .*|\$ cat > (\S+) <<end\n([^]*?)^end|\$ (overheard .*?)(?: < (\S+))?)\n/gm;
/** The id of a hit is an HMAC under a random secret. */
const hitId = /(?<=(?:verified|spoofed) +)[0-9a-f-]{36}$/gm;
const randomId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

// `npm run docs` writes what is printed now.
test.each(paths.map((path) => [basename(path), path] as const))(
  '%s is what its commands print, on one database, and the codes with which they end',
  async (_, path) => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-transcript-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = ['--database', `file:${join(folder, 'a.db')}`];
    const files = new Map<string, string>();
    let shown = '';
    const text = await readFile(path, 'utf8');
    for (const [step, name, content = '', command, input = ''] of text.matchAll(steps)) {
      shown += step.startsWith('## ') && shown !== '' ? `\n${step}` : step;
      if (name !== undefined) files.set(name, content);
      if (command === undefined) continue;
      const [, ...args] = wordsOf(command);
      const stdin = files.get(input) ?? '';
      const { code, stdout, stderr } = await runCommand([...args, ...database], { stdin, clock });
      const end = code === 0 ? '' : `[${code}]\n`;
      shown += `${stdout}${stderr}${end}`
        .replaceAll(randomId, 'ID')
        .replaceAll(hitId, 'ID')
        .replaceAll(` ${database.join(' ')}`, '')
        .replaceAll(folder, '.');
    }
    await expect(shown).toMatchFileSnapshot(path);
  },
);

/** Splits a line at its spaces; what is in double quotes is written as in JSON. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"(?:[^"\\]|\\.)*"|'([^']*)'|\S+/g)].map(([word, quoted]) =>
    word.startsWith('"') ? String(JSON.parse(word)) : (quoted ?? word),
  );
}
