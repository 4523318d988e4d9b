#!/usr/bin/env node
// Plain JavaScript: it must start on a Node that can run nothing else of ours, to say what is needed.
const needed = [24, 15];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `overheard needs Node ${needed.join('.')} or newer; this is ${process.versions.node}.\n` +
      'In the repository, `npm ci` brings its own: start it with `npx overheard`.\n',
  );
  process.exitCode = 1;
} else {
  const { enableCompileCache } = await import('node:module');
  // Two thirds of a command's start are compilation; Node keeps the outcome for the next one, if it
  // may write. Here rather than in the temporary folder of all users: what is kept will be run.
  enableCompileCache(`${import.meta.dirname}/../.compiled`);
  const { run } = await import('../src/main.ts');
  await run();
}
