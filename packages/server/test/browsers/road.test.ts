// @module-tag slow
/**
 * The road of a newcomer: from an empty folder to a gap of the own brand, in a real browser, with a real
 * server and an engine that speaks Chat Completions on loopback. With OVERHEARD_ROAD_PICTURES it writes the
 * pictures of docs/first-week.md into that folder.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { environment } from '../../src/config.ts';
import { spawnCommand } from '../commands/spawn-command.ts';
import { startEngineServer } from '../engines/engine-server.ts';
import { newContext, newTab, openBrowser } from './browser.ts';
import { handsOn } from './hands.ts';
import type { Hands } from './hands.ts';

const pictures = environment['OVERHEARD_ROAD_PICTURES'];
const plantedKey = 'sk-planted-0123456789abcdef';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const engines = ['Ollama', 'LM Studio', 'llama.cpp'];

test('without script, a newcomer comes from an empty folder to the first gap', async () => {
  const folder = await emptyFolder();
  const server = await serve(folder);
  const hands = await newcomer({ isKeyboard: false, hasScript: false });
  await walk(hands, { ...server, engines: ['Ollama'], questionsMax: 3 });
  for (const name of await readdir(folder)) {
    const content = await readFile(join(folder, name), 'latin1');
    expect([name, content.includes(plantedKey)]).toEqual([name, false]);
  }
});

test(
  'a newcomer comes from an empty folder to the first gap by keyboard alone',
  { tags: ['long'] },
  async () => {
    const server = await serve(await emptyFolder());
    const hands = await newcomer({ isKeyboard: true, hasScript: true });
    await walk(hands, { ...server, engines });
    expect(hands.counts.sent).toBeLessThanOrEqual(14);
    expect(hands.counts.typed).toBeLessThanOrEqual(12);
  },
);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newcomer({
  isKeyboard,
  hasScript,
}: {
  isKeyboard: boolean;
  hasScript: boolean;
}): Promise<Hands> {
  const { page } = await newTab(await newContext(browser, { hasScript }));
  return handsOn(page, { isKeyboard });
}

/** From the link to the first gap. */
async function walk(
  hands: Hands,
  {
    link,
    url: origin,
    engines: added,
    questionsMax,
  }: {
    link: string;
    url: string;
    engines: readonly string[];
    questionsMax?: number;
  },
): Promise<void> {
  const { page, follow, type, choose, send } = hands;
  const to = (path: string) => page.goto(`${origin}${path}`);

  await makeWorkspace(hands, link);
  await to('/w/acme/start');
  await follow('Choose prompts');
  await type('What you sell, in the singular', 'CRM');
  await send('Propose questions');
  await shoot(hands, 'prompts');
  const ticked = page.getByRole('checkbox', { name: /\?$/, checked: true });
  for (let left = await ticked.count(); left > (questionsMax ?? left); left -= 1) {
    await ticked.last().uncheck();
  }
  await send('Add the ticked questions');

  await to('/w/acme/start');
  await follow('Add an engine');
  for (const engine of added) {
    await choose('Engine', `${engine}, on a machine of your own`);
    if (engine === 'Ollama') await type('Key of its API', plantedKey);
    await hands.open('Model, address and limits');
    await type('Address', await startEngine());
    await send('Save');
  }
  await shoot(hands, 'engines');

  await to('/w/acme/start');
  await follow('Ask now');
  await send(/^Ask \d+ questions now/);
  await expect
    .poll(
      async () => {
        await to('/w/acme/start/answers');
        return page.locator('main').textContent();
      },
      { interval: 1000 },
    )
    .toMatch(/(\d+) of \1 answers are in[\s\S]*What it costs/);
  await shoot(hands, 'answers');

  await to('/w/acme/gaps');
  await shoot(hands, 'gaps');
  expect(await page.locator('main').textContent()).toMatch(
    /Where you do not appear so far[\s\S]*Globex/,
  );
  await to('/w/acme/');
  await shoot(hands, 'overview');
  expect(await page.locator('.lineup').textContent()).toMatch(/appears in/);
}

/** Signs up, and makes a workspace with a competitor. */
async function makeWorkspace(hands: Hands, link: string): Promise<void> {
  const { page, follow, type, send } = hands;
  await page.goto(link);
  await type('Your name', 'Ada');
  await type('E-mail address', 'ada@acme.com');
  await type('Password', 'a long password');
  await send(/./);

  await type('Brand', 'Acme');
  await type('Its site', 'acme.com');
  await send('Make the workspace');
  await shoot(hands, 'start');

  await follow('Add competitors');
  await follow(/Track a competitor/);
  await type('Name', 'Globex');
  await send('Show what it would do');
  await send(/^Track it/);
}

async function shoot({ page }: Hands, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** A server in an empty folder: its address, and the set-up link of its log. */
async function serve(cwd: string): Promise<{ url: string; link: string }> {
  const options = ['serve', '--port', '0', '--update-lists', 'never', '--drain-seconds', '1'];
  const { child, ended } = spawnCommand(options, { cwd });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; link: string }>();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const url = /listens on (http\S+)\n/.exec(said)?.[1];
    const link = /http\S+\/setup\/\S+/.exec(said)?.[0];
    if (url !== undefined && link !== undefined) resolve({ url, link });
  });
  void ended.then(({ stderr }) => reject(new Error(stderr)));
  return promise;
}

const question = z.object({ messages: z.array(z.object({ content: z.string() })) });

/** An engine that names Globex everywhere, with a page that it cites, and Acme in a part of its answers. */
async function startEngine(): Promise<string> {
  const models = { object: 'list', data: [{ id: 'llama3.2', object: 'model' }] };
  const engine = await startEngineServer({ json: models }, (response) => {
    const { messages } = question.parse(engine.sent.at(-1)?.body);
    const asked = messages.at(-1)?.content ?? '';
    const own = asked.length % 4 === 0 ? ' Acme is simpler.' : '';
    const content = `Most buyers take Globex (https://reviews.example/best-crm).${own}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        model: 'llama3.2',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 20, completion_tokens: 12, total_tokens: 32 },
      }),
    );
  });
  return `${engine.url}/v1`;
}
