/** What every bench shares: a folder, tables, and its section of docs/performance.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** What a bench works with. */
export interface Bench {
  /** A temporary folder of its own. */
  readonly folder: string;
  /** Adds a table or a sentence to the section. */
  add(text: string): void;
}

/**
 * Runs a bench and prints its section; with `--write` the section goes into docs/performance.md, too.
 * `about` says what was measured; the command, the machine and its load are put before it.
 */
export async function runBench(
  { section, title, about }: { section: string; title: string; about: string },
  measure: (bench: Bench) => Promise<void>,
): Promise<void> {
  const [load = 0] = loadavg();
  const command = process.argv
    .slice(1)
    .join(' ')
    .replace(/^.*?(?=bench\/)/, 'node ');
  const parts = [
    `## ${title}`,
    `\`${command}\` on ${machine()}; before it, ${load.toFixed(1)} processes of others wanted a core. ${about}`,
  ];
  const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
  try {
    await measure({ folder, add: (text) => parts.push(text) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const text = `${parts.join('\n\n')}\n`;
  process.stdout.write(text);
  if (process.argv.includes('--write')) writeSection(section, text);
}

/** A Markdown table. Numbers of 100 and more are printed without decimals. */
export function table(
  head: readonly string[],
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
  const cell = (value: string | number): string =>
    typeof value === 'string'
      ? value
      : value.toLocaleString('en-US', {
          maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
        });
  const line = (cells: ReadonlyArray<string | number>): string =>
    `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A share as a percentage. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** The value in the middle; of an even number of values the upper one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Replaces what is between `<!-- section -->` and `<!-- /section -->`, or adds it at the end. */
function writeSection(section: string, text: string): void {
  const [open, close] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const old = existsSync(page) ? readFileSync(page, 'utf8') : '# Performance\n';
  const marked = `${open}\n\n${text}\n${close}`;
  const [before, rest] = old.split(open);
  const after = rest?.split(close)[1];
  const whole = after === undefined ? `${old.trimEnd()}\n\n${marked}\n` : before + marked + after;
  writeFileSync(page, whole);
}

function machine(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? 'an unknown processor';
  return `Node ${process.versions.node}, ${all.length} cores of ${model}`;
}
