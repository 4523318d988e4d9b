import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A file that pages load. Its path changes with its content, so browsers may keep it for ever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
}

/** The custom elements, one file each. */
const elements = ['copy-text', 'live-part', 'print-page', 'single-keys', 'trend-chart'] as const;

/** Reads the files that pages load, once. */
export function readAssets(): Assets {
  return {
    style: asset('overheard.css', 'text/css', readBeside('styles/overheard.css')),
    script: asset('elements.js', 'text/javascript', readElements()),
  };
}

function asset(name: string, type: string, text: string): Asset {
  const version = hash('sha256', text, 'hex').slice(0, 12);
  const path = `/assets/${name.replace('.', `-${version}.`)}`;
  return { path, type: `${type}; charset=utf-8`, body: Buffer.from(text) };
}

/**
 * Joins all elements to one file, each in its own scope and without the `export {}` of a built
 * file.
 */
function readElements(): string {
  const texts = elements.map((name) => readElement(name).replace(/^export \{\};$/m, ''));
  return texts.map((text) => `{\n${text}\n}\n`).join('');
}

/** Published packages have the built file. In the repository, types are stripped here. */
function readElement(name: string): string {
  const built = `browser/${name}.js`;
  if (existsSync(pathBeside(built))) return readBeside(built);
  return withoutWarning(() => stripTypeScriptTypes(readBeside(`browser/${name}.ts`)));
}

/** Hides Node's warning that stripping types may change, because an operator cannot act on it. */
function withoutWarning<Result>(work: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function readBeside(path: string): string {
  return readFileSync(pathBeside(path), 'utf8');
}

function pathBeside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
