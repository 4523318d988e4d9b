import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './bundle.ts';
import { licencesOf } from '../../../scripts/licences.ts';
import { bundleFile, bundleManifest, programFile, serverJson } from './manifests.ts';
import { zip } from './zip.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const dist = `${here}dist/`;

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const inputs = await buildProgram(dist);
await writeFile(`${dist}THIRD-PARTY-LICENSES.txt`, licencesOf(inputs, here));
await writeFile(`${dist}server.json`, json(serverJson()));
await copyFile(`${here}README.md`, `${dist}README.md`);
await copyFile(`${here}../../LICENSE`, `${dist}LICENSE`);
await writeFile(
  `${dist}overheard.mcpb`,
  zip([
    { path: 'manifest.json', bytes: Buffer.from(json(bundleManifest())) },
    { path: programFile, bytes: await readFile(`${dist}${programFile}`), isExecutable: true },
    // Node takes the program for modules by package.json.
    ...(await Promise.all(
      [bundleFile, 'package.json', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'].map(async (path) => ({
        path,
        bytes: await readFile(`${dist}${path}`),
      })),
    )),
  ]),
);

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
