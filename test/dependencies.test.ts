import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { repository } from './source-files.ts';

const names = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ dependencies: names, devDependencies: names });

const manifests = globSync(['package.json', 'packages/*/package.json'], { cwd: repository }).map(
  (path) => manifestSchema.parse(JSON.parse(readFileSync(join(repository, path), 'utf8'))),
);

test('every dependency has a reason on the page of dependencies, and every reason a dependency', () => {
  const page = readFileSync(join(repository, 'docs/decisions/dependencies.md'), 'utf8');
  const used = manifests
    .flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }),
    )
    // Types come with what they describe.
    .filter((name) => !/^@(overheard|types)\//.test(name));
  const reasoned = [...page.matchAll(/^- (?<before>[^:]+):/gm)].flatMap(({ groups }) =>
    [...(groups?.['before'] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
  expect(reasoned.toSorted()).toEqual([...new Set(used)].toSorted());
});

test('every dependency is pinned to one version', () => {
  const versions = manifests.flatMap(({ dependencies, devDependencies }) => [
    ...Object.entries(dependencies),
    ...Object.entries(devDependencies),
  ]);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const different = versions.filter(([name, version]) =>
    versions.some(([other, otherVersion]) => other === name && otherVersion !== version),
  );
  expect(different).toEqual([]);
});
