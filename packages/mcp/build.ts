import { chmod, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';

/**
 * With `import { z }` the bundler keeps all of zod, its messages in fifty languages included; with
 * `import * as z` it keeps what is used. The sources write the first, as zod's own pages do.
 */
const onlyUsedZod: Plugin = {
  name: 'only-used-zod',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]packages[\\/](?:contract|mcp)[\\/]src[\\/].*\.ts$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace("import { z } from 'zod';", "import * as z from 'zod';");
        return { contents, loader: 'ts' };
      },
    );
  },
};

const here = fileURLToPath(new URL('.', import.meta.url));

/** Bundles the program and all that it needs into one file, and says what it weighs. */
export async function bundle(outfile: string): Promise<void> {
  await build({
    stdin: {
      contents: `import { run } from './src/main.ts'; await run();`,
      resolveDir: here,
      sourcefile: 'overheard-mcp.ts',
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.3',
    minify: true,
    banner: { js: '#!/usr/bin/env node' },
    // The validator that the server replaces with its own refusal: see src/no-validator.ts.
    alias: { '@modelcontextprotocol/server/_shims': `${here}src/sdk-shims.ts` },
    plugins: [onlyUsedZod],
    legalComments: 'linked',
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
}

if (import.meta.main) {
  const outfile = `${here}dist/overheard-mcp.js`;
  await rm(`${here}dist`, { recursive: true, force: true });
  await bundle(outfile);
}
