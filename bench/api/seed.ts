import { writeFile } from 'node:fs/promises';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { seedWorkspace } from './dataset.ts';
import type { SeededWorkspace } from './dataset.ts';

const [url = '', count = '500', output = ''] = process.argv.slice(2);

const store = await openStore(url, { mayCreate: true });
const seeded: SeededWorkspace[] = [];
for (let index = 0; index < Number(count); index++) {
  seeded.push(await seedWorkspace(store, `bench-${index}`));
  if (index % 50 === 49) process.stderr.write(`${index + 1} workspaces\n`);
}
await store.close();
await writeFile(output, JSON.stringify(seeded));
