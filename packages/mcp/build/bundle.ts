import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'rolldown';
import { servedTools } from '@overheard/tools';
import { bundleFile, programFile, publishedManifest } from './manifests.ts';

const here = fileURLToPath(new URL('..', import.meta.url));

/**
 * With `import { z }` the bundler keeps all of zod, its messages in fifty languages included; with
 * `import * as z` it keeps what is used. The sources write the first, as zod's own pages do.
 */
const onlyUsedZod: Plugin = {
  name: 'only-used-zod',
  transform: {
    filter: { id: /[\\/]packages[\\/](?:contract|mcp|tools)[\\/]src[\\/].*\.ts$/ },
    handler: (source) => source.replace("import { z } from 'zod';", "import * as z from 'zod';"),
  },
};

const runAtOnce: Plugin = {
  name: 'run-at-once',
  transform: {
    filter: { id: /[\\/]mcp[\\/]src[\\/]main\.ts$/ },
    handler: (source) => `${source}\nawait run();`,
  },
};

/** The list of tools is the same on every start: it is made here once, not on each of them. */
const toolsMadeBefore: Plugin = {
  name: 'tools-made-before',
  load: {
    filter: { id: /[\\/]tools[\\/]src[\\/]serve[\\/]served-tools\.ts$/ },
    handler: () =>
      `const tools = ${JSON.stringify(servedTools())};\nexport const servedTools = () => tools;`,
  },
};

/**
 * Makes what is published of the program in a folder: the file that starts it, the bundle, and the
 * manifest by which Node takes both for modules. Returns what went into the bundle, relative to
 * this package.
 */
export async function buildProgram(folder: string): Promise<readonly string[]> {
  const start = join(folder, programFile);
  await copyFile(`${here}bin/${programFile}`, start);
  await chmod(start, 0o755);
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(), undefined, 2)}\n`,
  );
  return bundle(join(folder, bundleFile));
}

/** Bundles the program and all that it needs into one file that imports nothing but Node. */
async function bundle(outfile: string): Promise<readonly string[]> {
  const { output } = await build({
    input: `${here}src/main.ts`,
    cwd: here,
    platform: 'node',
    // The validator that the server replaces with its own refusal: see src/serve/server.ts.
    resolve: {
      alias: { '@modelcontextprotocol/server/_shims': `${here}src/serve/sdk-shims.ts` },
    },
    transform: { target: 'node20.3' },
    plugins: [toolsMadeBefore, runAtOnce, onlyUsedZod],
    output: {
      file: outfile,
      format: 'esm',
      minify: true,
      codeSplitting: false,
      // Code that packages have inlined; its licences are in a file beside this one.
      comments: { legal: true, annotation: false, jsdoc: false },
    },
    logLevel: 'warn',
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
