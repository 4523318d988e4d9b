/**
 * Checks the built packages as their users get them: what npm would publish is packed, unpacked into
 * an empty `node_modules`, and its programs are run there.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { builtPackages, installPackages } from './packed-packages.ts';
import type { BuiltPackage } from './packed-packages.ts';

const built = builtPackages();
for (const each of built) await lint(each);
const place = mkdtempSync(join(tmpdir(), 'overheard-packages-'));
try {
  const modules = installPackages(built, place);
  for (const each of built) run(each, { folder: place, modules });
  await checkServer(place, join(modules, 'overheard/bin/overheard.js'));
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function lint({ dist, manifest }: BuiltPackage): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: dist, strict: true, level: 'suggestion' });
  const words = messages.map((message) => formatMessage(message, pkg));
  if (words.length > 0) throw new Error(`publint on ${manifest.name}:\n${words.join('\n')}`);
}

function run(
  { manifest }: BuiltPackage,
  { folder, modules }: { folder: string; modules: string },
): void {
  for (const [name, path] of Object.entries(manifest.bin)) {
    const program = join(modules, manifest.name, path);
    const help = execFileSync(process.execPath, [program, '--help'], { cwd: folder });
    if (!help.includes(name)) throw new Error(`\`${name} --help\` printed:\n${help.toString()}`);
    say(`${name} --help runs from the packed ${manifest.name}`);
  }
  if ('.' in manifest.exports) {
    const script = `if (Object.keys(await import('${manifest.name}')).length === 0) process.exit(1)`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    say(`${manifest.name} can be imported as it is packed`);
  }
}

/** The server answers as it is packed, with the style and the elements of its pages. */
async function checkServer(folder: string, program: string): Promise<void> {
  const server = spawn(process.execPath, [program, 'demo', '--port', '0'], { cwd: folder });
  try {
    let said = '';
    server.stderr.on('data', (chunk) => (said += String(chunk)));
    for await (const chunk of server.stdout) {
      said += String(chunk);
      if (said.includes('/api/v1/')) break;
    }
    const [, page = ''] = /(http:\S+\/sign-in\/\S+)/.exec(said) ?? [];
    const [, key = '', scores = ''] = /(Bearer [^']+)' '([^']+)'/.exec(said) ?? [];
    if (page === '' || scores === '') throw new Error(`\`overheard demo\` said:\n${said}`);
    const text = await read(page);
    const assets = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const [, script = ''] = await Promise.all(assets.map((path) => read(new URL(path, page).href)));
    if (!script.includes('customElements.define'))
      throw new Error(`No elements: ${assets.join(', ')}`);
    await read(scores, { authorization: key });
  } finally {
    server.kill();
    await once(server, 'exit');
  }
  say('overheard demo answers with its pages and its API as it is packed');
}

async function read(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}
