/**
 * Runs one bench, or says which there are:
 *
 *   npx node bench/run.ts NAME [--size 0.01] [--write]
 *
 * `--size` measures with a share of the data and of the time. `--write` puts the section into
 * docs/performance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';

const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  'api-sqlite': async () => (await import('./api/api.ts')).onSqlite,
  'api-postgres': async () => (await import('./api/api.ts')).onPostgres,
  answers: () => import('./answers/answers.ts'),
  collect: () => import('./collect/collect.ts'),
  crawlers: () => import('./crawlers/crawlers.ts'),
  estimates: () => import('./estimates.ts'),
  mcp: () => import('./mcp/mcp.ts'),
  pages: () => import('./pages/pages.ts'),
  receivers: () => import('./crawlers/receivers.ts'),
  reports: () => import('./reports.ts'),
};
const { values, positionals } = parseArgs({
  options: { size: { type: 'string', default: '1' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const load = benches[name];
if (load === undefined) {
  process.stderr.write(`Name one of ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else await run((await load()).bench, Number(values.size));

async function run({ title, about, measure }: Bench, size: number): Promise<void> {
  const [waiting = 0] = loadavg();
  const scaled = (count: number): number => Math.max(1, Math.ceil(count * size));
  const command = `npx node bench/run.ts ${name}${size === 1 ? '' : ` --size ${size}`}`;
  const machine = `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  const parts = [
    `## ${title}`,
    `\`${command}\` on ${machine}, with ${waiting.toFixed(1)} other processes waiting for a core at the start. ${about({ scaled })}`,
  ];
  const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
  try {
    await measure({ folder, scaled, add: (text) => parts.push(text) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const text = `${parts.join('\n\n')}\n`;
  process.stdout.write(text);
  if (values.write) writeSection(text);
}

/** Replaces what is between `<!-- NAME -->` and `<!-- /NAME -->`, or adds it at the end. */
function writeSection(text: string): void {
  const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const old = readFileSync(page, 'utf8');
  const marked = `${open}\n\n${text}\n${close}`;
  const [before, rest] = old.split(open);
  const after = rest?.split(close)[1];
  writeFileSync(
    page,
    after === undefined ? `${old.trimEnd()}\n\n${marked}\n` : before + marked + after,
  );
}
