/** Sections of docs/performance.md that benches write. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`, or adds it at the end. */
export function writeSection(name: string, section: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '# Performance\n';
  const marked = `${open}\n\n${section}\n${close}`;
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  writeFileSync(
    page,
    after === undefined ? `${text.trimEnd()}\n\n${marked}\n` : `${before}${marked}${after}`,
  );
}

/** Node and processor, for the sentence before the figures. */
export function machineWords(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? 'an unknown processor';
  return `Node ${process.versions.node}, ${all.length} cores of ${model}`;
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
