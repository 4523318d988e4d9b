#!/usr/bin/env node
// Plain JavaScript: it must start on a Node that can run nothing else of ours, to say what is needed.
import { existsSync } from 'node:fs';
import process from 'node:process';

const built = new URL('../dist/overheard-mcp.js', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
  process.stderr.write(`overheard-mcp needs Node 20 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (existsSync(source) && process.features.typescript) {
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
