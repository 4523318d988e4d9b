import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * When it is loaded, the SDK makes a schema of every type of the protocol and of OAuth, so that a
 * program may ask for any by its name. This one asks for none: what the SDK does not use itself is
 * left out, a sixth of the time to the first answer. A version of the SDK in which nothing is found
 * to leave out fails the build.
 */
export const onlyUsedSchemas: Plugin = {
  name: 'only-used-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]+\.mjs$/ }, (file) =>
      rewrite(file.path, /^for \(const .+\) register\(.+\);$/gm, ''),
    );
    // The bundler cannot know that to make a schema changes nothing, unless it is told.
    onLoad(
      { filter: /modelcontextprotocol[\\/]core[\\/]dist[\\/](?:auth|schemas)-.+\.mjs$/ },
      (file) =>
        rewrite(
          file.path,
          /^const (\w+Schema) = ([^]+?);\n(?![\t}])/gm,
          'const $1 = /* @__PURE__ */ (() => $2)();\n',
        ),
    );
  },
};

async function rewrite(path: string, found: RegExp, replacement: string) {
  const source = await readFile(path, 'utf8');
  const contents = source.replace(found, replacement);
  if (contents === source) throw new Error(`Nothing to leave out was found in ${path}.`);
  return { contents, loader: 'js' as const };
}
