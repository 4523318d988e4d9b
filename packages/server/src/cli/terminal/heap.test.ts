import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** As `bin/overheard.js` starts a server; then much is made, and a part of it outlives a collection. */
const program = `
  import { setTimeout } from 'node:timers/promises';
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { letYoungSpaceGrow } from '${new URL('./heap.ts', import.meta.url).href}';

  setFlagsFromString('--semi-space-growth-factor=1');
  letYoungSpaceGrow();
  const kept = [];
  for (let turn = 0; turn < 200; turn++) {
    for (let place = 0; place < 20_000; place++) kept[place] = { turn, place };
    await setTimeout(0);
  }
  const spaces = getHeapSpaceStatistics();
  process.stdout.write(String(spaces.find((space) => space.space_name === 'new_space').space_size));
`;

it('the space for young objects of a server grows, and stops growing', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  const mebibytes = Number(printed) / 1024 / 1024;

  expect(mebibytes).toBeGreaterThanOrEqual(8);
  expect(mebibytes).toBeLessThan(16);
});
