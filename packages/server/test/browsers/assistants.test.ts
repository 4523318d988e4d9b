/** How a browser gets from an assistant's host to the page on which a person connects it, and back. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../src/people/password.ts';
import { asked, authorizePath } from '../servers/assistants.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';
import { newContext, newTab, openBrowser } from './browser.ts';
import { startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { newPerson } from './people.ts';
import type { Person } from './people.ts';

const password = 'correct horse battery';
let browser: Browser;
let installation: Installation;
let person: Person;

beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), startInstallation()]);
  const { store, clock } = installation;
  const brand = { name: 'Acme' };
  const { id } = await createWorkspace(store, { slug: 'acme', name: 'Acme Ltd', brand, clock });
  const hashed = await hashPassword(password);
  person = await newPerson(store, { workspaceId: id, password: hashed, clock });
});

afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

/**
 * A host of assistants: a page that opens the sign-in in a popup, and the page to which it leads back,
 * which redirects to another origin, as hosts do that have a program.
 */
async function startHost({ scope = asked.scope } = {}) {
  const requests: Array<{ url: URL; referer: string | undefined }> = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    requests.push({ url, referer: request.headers.referer });
    if (url.pathname === '/callback') {
      response.writeHead(302, { Location: `http://localhost:${request.socket.localPort}/back` });
      response.end();
      return;
    }
    const isBack = url.pathname === '/back';
    const script = isBack
      ? "opener?.postMessage('back', '*')"
      : "onmessage = () => (document.title = 'back')";
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<title>host</title><h1>${isBack ? 'Connected' : 'Host'}</h1><script>${script}</script>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const place = `http://127.0.0.1:${port}`;
  const parameters = {
    ...asked,
    scope,
    redirect_uri: `${place}/callback`,
    resource: `${installation.url}/mcp`,
  };
  return { place, requests, signIn: installation.url + authorizePath(parameters) };
}

/** Signs in and leaves the page of the assistant by a button or link. */
async function goThrough(page: Page, button: string): Promise<void> {
  await page.fill('#email', person.email);
  await page.fill('#password', password);
  await page.click('button.primary');
  await page.waitForURL('**/oauth/authorize?*');
  await page.click(`.button:text-is("${button}")`);
}

test.for([
  ['Connect', asked.scope, 'code'],
  ['Cancel', asked.scope, 'error'],
  ['Go back to it', 'write', 'error'],
] as const)(
  'without script, %s of a request for %s leads from the sign-in back to the host with its %s, and with no address of ours',
  async ([button, scope, given]) => {
    const host = await startHost({ scope });
    const context = await newContext(browser, { hasScript: false, width: 360 });
    const { page, said } = await newTab(context);
    await page.goto(host.signIn);
    await goThrough(page, button);
    await page.waitForURL('http://localhost:*/back');
    const [{ url, referer } = { url: new URL(host.place), referer: '' }] = host.requests;
    expect(url.searchParams.get(given)).toMatch(/./);
    expect(url.searchParams.get('iss')).toBe(installation.url);
    expect(referer).toBeUndefined();
    expect(said.filter((line) => !line.includes('status of 400'))).toEqual([]);
    await context.close();
  },
);

test('a popup of a host keeps the window that opened it, from the sign-in to the way back', async () => {
  const host = await startHost();
  const context = await newContext(browser);
  const { page } = await newTab(context);
  await page.goto(host.place);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`void open(${JSON.stringify(host.signIn)}, '_blank', 'popup')`),
  ]);
  await goThrough(popup, 'Connect');
  await page.waitForFunction("document.title === 'back'");
  expect(await popup.textContent('h1')).toBe('Connected');
  await context.close();
});
