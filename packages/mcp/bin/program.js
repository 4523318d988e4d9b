// What is published has the bundle in the place of this file.
import { existsSync } from 'node:fs';

const built = new URL('../dist/program.js', import.meta.url);

if (process.features.typescript) {
  // In the repository the source is what counts: a build may be of yesterday.
  const { run } = await import('../src/main.ts');
  await run();
} else if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write(
    'overheard-mcp is not built, and this Node runs no TypeScript.\n' +
      'In the repository, start it with `npx overheard-mcp`, or build it: npm run build -w packages/mcp\n',
  );
  process.exitCode = 1;
}
