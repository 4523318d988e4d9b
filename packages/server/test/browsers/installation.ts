/**
 * An installation that listens, filled by the same doors as an operator's, and every state of every
 * page in it: for tests in a browser, and for `npm run shots`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { replaceKey, revokeKeyOf } from '../../src/access/change-key.ts';
import { createKey } from '../../src/access/keys.ts';
import { buildApp } from '../../src/api/app.ts';
import { fillDemo } from '../../src/demo/fill.ts';
import { createJobRunner } from '../../src/jobs/job-runner.ts';
import { invite } from '../../src/people/invitations.ts';
import { makeLink } from '../../src/people/links.ts';
import { createReportReader } from '../../src/web/reader/report-reader.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { newId } from '../../src/values/uuid.ts';
import { buildReachApp } from '../../src/reach/app.ts';
import { buildWebApp } from '../../src/web/app.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';
import {
  lookAtSubject,
  saveSubject,
  importFile,
  signInWrongly,
  makeKey,
  inviteSomeone,
  useForms,
} from './page-acts.ts';
import { newContext, newTab } from './browser.ts';
import { answerStates, promptStates } from './prompt-states.ts';
import { serveDocument } from '../servers/assistants.ts';
import { newPerson } from './people.ts';
import type { Person } from './people.ts';
import { competitorStates } from './competitor-states.ts';
import { connectStates } from './connect-states.ts';
import type { PageState } from './page-state.ts';
import { sharingStates } from './sharing-states.ts';
import { sizeStates } from './size-states.ts';
import { reportStates } from './report-states.ts';

/** A server on a free port of this machine. */
export interface Installation {
  readonly store: Store;
  readonly url: string;
  readonly clock: () => number;
  close(): Promise<void>;
}

/** Starts a server on an empty database. */
export async function startInstallation(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-pages-'));
  const database = `file:${join(folder, 'test.db')}`;
  const store = await openStore(database, { mayCreate: true });
  const clock = Date.now;
  const onFailure = (error: unknown) => process.emitWarning(String(error));
  const runner = createJobRunner({ store, database, clock, onFailure });
  const reports = createReportReader({ store, database, clock });
  let url = '';
  const shared = {
    store,
    log: pino({ level: 'silent' }),
    clock,
    publicUrl: () => url,
    quota: 300,
    trustProxy: [],
    isDraining: () => false,
    connectors: 'all',
  };
  const web = {
    ...shared,
    mayUsePlainHttp: false,
    command: (words: string) => words,
    linkCommand: () => 'overheard user link',
    environment: {},
    prices: [],
    fetchDocument: serveDocument(),
    runner,
    reports,
    uploadBytesMax: 1_000_000,
    toolServer: { command: 'npx', args: ['-y', 'overheard-mcp'] },
  };
  const app = await buildApp({
    ...shared,
    readReport: reports.readBody,
    cacheBytes: 1024 * 1024,
    pages: (forPages) => buildWebApp(web, forPages),
    programs: (parts) => buildReachApp({ ...shared, cacheBytes: 0 }, parts),
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    store,
    url,
    clock,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await runner.stop({ graceMs: 0 });
      await reports.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Signs a person in on a tab, by a one-time link as they would. */
export async function signIn(
  { store, url, clock }: Installation,
  page: Page,
  { id, email }: Person,
): Promise<void> {
  const token = await makeLink(store.access, { user: { id, email }, userId: null, clock });
  await page.goto(`${url}/sign-in/${token}`);
  await page.click('button.primary');
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'));
}

/** A browser in which the person of a state is signed in. */
export async function contextOf(
  browser: Browser,
  installation: Installation,
  { person }: Partial<PageState>,
): Promise<BrowserContext> {
  const context = await newContext(browser);
  if (person !== undefined) {
    const { page } = await newTab(context);
    await signIn(installation, page, person);
    await page.close();
  }
  return context;
}

/** The states of pages before there is a user. */
export async function firstStates({ store, clock }: Installation): Promise<PageState[]> {
  const token = await makeLink(store.access, { userId: null, clock });
  return [
    { name: 'set-up-words', path: '/setup' },
    { name: 'set-up', path: `/setup/${token}` },
  ];
}

/** Fills an installation; gives every state of its pages, those of other sizes only if wanted. */
export async function fillInstallation(
  { store, clock, url }: Installation,
  { hasSizes = true }: { hasSizes?: boolean } = {},
): Promise<PageState[]> {
  const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
  const { id: workspaceId } = workspace;
  const empty = { slug: 'empty', name: 'Empty Ltd', brand: { name: 'Empty' }, clock };
  await createWorkspace(store, empty);
  const member = { workspaceId, clock };
  const ada = await newPerson(store, { ...member, role: 'admin', isOperator: true });
  const ben = await newPerson(store, { ...member, role: 'viewer', name: 'Ben Example' });
  const cleo = await newPerson(store, { clock, name: 'Cleo Example' });
  await makeKeys(store, { workspaceId, userId: ada.id, clock });
  const words = { workspaceId, role: 'editor', userId: ada.id, clock } as const;
  const invitation = await invite(store.access, { ...words, email: null });
  const bound = await invite(store.access, { ...words, email: 'dora@example.com' });
  const user = { id: ada.id, email: ada.email };
  const link = await makeLink(store.access, { user, userId: null, clock });
  const keys = '/w/demo/settings/keys';
  const members = '/w/demo/settings/members';
  const subjects = '/w/demo/settings/subjects';
  const data = '/w/demo/settings/data';
  return [
    { name: 'sign-in', path: '/sign-in' },
    { name: 'sign-in-refused', path: '/sign-in', act: signInWrongly, status: 403 },
    { name: 'link', path: `/sign-in/${link}` },
    { name: 'link-ended', path: '/sign-in/nothing', status: 404 },
    { name: 'invite-newcomer', path: `/invite/${bound}` },
    { name: 'invite-member', path: `/invite/${invitation}`, person: cleo },
    { name: 'workspaces', path: '/', person: ada },
    { name: 'workspace-new', path: '/workspaces/new', person: ada },
    { name: 'engines', path: '/engines', person: ada },
    { name: 'operator', path: '/operator', person: ada },
    { name: 'workspaces-none', path: '/', person: cleo },
    { name: 'start', path: '/w/demo/start', person: ada },
    { name: 'start-none', path: '/w/empty/start', person: ada },
    { name: 'start-prompts', path: '/w/demo/start/prompts?what=CRM&who=small+shops', person: ada },
    { name: 'ask-now', path: '/w/demo/start/answers', person: ada },
    { name: 'ask-now-none', path: '/w/empty/start/answers', person: ada },
    { name: 'account', path: '/me', person: ada },
    ...(await connectStates({ store, clock, url }, { workspaceId, ada, cleo })),
    ...(await sharingStates(store, { workspaceId, ada, ben, clock })),
    ...(hasSizes ? await sizeStates(store, { person: ada, clock }) : []),
    ...(await reportStates(store, ada)),
    ...(await competitorStates(store, { workspaceId, ada, ben })),
    ...(await answerStates(store, { workspaceId, person: ada })),
    ...(await promptStates(store, { workspaceId, ada, ben })),
    { name: 'subjects', path: subjects, person: ada },
    { name: 'subjects-of-a-viewer', path: subjects, person: ben },
    { name: 'subjects-none', path: '/w/empty/settings/subjects', person: ada },
    { name: 'subject-new', path: `${subjects}/new`, person: ada },
    { name: 'subject-preview', path: `${subjects}/new`, person: ada, act: lookAtSubject },
    { name: 'subject-saved', path: `${subjects}/new`, person: ada, act: saveSubject },
    { name: 'data', path: data, person: ada },
    { name: 'data-of-a-viewer', path: data, person: ben },
    { name: 'data-refused', path: data, person: ada, act: importFile('[{"text": 1}]', '.bad') },
    {
      name: 'data-imported',
      path: data,
      person: ada,
      act: importFile('text,locale\nWho?,en-US\n', '.good'),
    },
    {
      name: 'data-columns',
      path: data,
      person: ada,
      act: importFile('query;llm;ts\nWhich CRM?;Google AIO;20.11.2025\n', '#columns', 'answers'),
    },
    { name: 'keys', path: keys, person: ada },
    { name: 'keys-of-a-viewer', path: keys, person: ben },
    { name: 'keys-none', path: '/w/empty/settings/keys', person: ada },
    { name: 'key-made', path: keys, person: ada, act: makeKey },
    { name: 'members', path: members, person: ada },
    { name: 'member-invited', path: members, person: ada, act: inviteSomeone },
    { name: 'history', path: '/w/demo/settings/history', person: ada, act: useForms },
    { name: 'history-none', path: '/w/empty/settings/history', person: ada },
    { name: 'not-found', path: '/w/nothing/', person: ada, status: 404 },
  ];
}

async function makeKeys(
  store: Store,
  { workspaceId, userId, clock }: { workspaceId: string; userId: string; clock: () => number },
): Promise<void> {
  const made = { workspaceId, userId, clock };
  const inDays = (days: number) => new Date(clock() + days * 24 * 3_600_000).toISOString();
  await createKey(store, { ...made, name: 'warehouse', expiresAt: inDays(90) });
  await createKey(store, { ...made, name: 'claude', expiresAt: inDays(9) });
  const { record: laptop } = await createKey(store, { ...made, name: 'old laptop' });
  await revokeKeyOf(store, { ...made, id: laptop.id });
  const { record: dashboard } = await createKey(store, { ...made, name: 'dashboard' });
  const day = 24 * 3_600_000;
  await replaceKey(store, dashboard, { newId: newId(clock), userId, overlapMs: day, clock });
}
