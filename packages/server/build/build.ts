/** Builds what is published of the server into `dist`. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licencesOf } from '../../../scripts/licences.ts';
import { buildProgram } from './bundle.ts';

const here = join(import.meta.dirname, '..');
const dist = join(here, 'dist');

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const inputs = await buildProgram(dist);
await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(inputs, here));
await copyFile(join(here, '../../LICENSE'), join(dist, 'LICENSE'));
