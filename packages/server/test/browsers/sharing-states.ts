/** The states of the pages of crawlers, receivers, collection and report links. */
import { madeUpEngine } from '../../src/cli/commands/demo/demo.ts';
import { disableEngine, saveEngine } from '../../src/collect/engine-settings.ts';
import { setAllowance } from '../../src/collect/ledger/budgets.ts';
import { requireLedger } from '../../src/collect/ledger/require-ledger.ts';
import { setLimits } from '../../src/collect/ledger/paced-engines.ts';
import { planReadings } from '../../src/collect/ledger/plan.ts';
import { switchPrompts } from '../../src/collect/prompts.ts';
import { makeReportLink } from '../../src/people/report-links.ts';
import type { Store } from '../../src/storage/store.ts';
import { newId } from '../../src/values/uuid.ts';
import { addReceiverHere, addWebhookHere, makeReport } from './page-acts.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';

const messages = '/w/demo/settings/messages';
const receivers = '/w/demo/settings/receivers';

/** Sets collecting up, shares a page, and gives the states that show both. */
export async function sharingStates(
  store: Store,
  {
    workspaceId,
    ada,
    ben,
    clock,
  }: { workspaceId: string; ada: Person; ben: Person; clock: () => number },
): Promise<PageState[]> {
  await setUpCollecting(store, workspaceId, clock);
  const sharing = { workspaceId, userId: ada.id, clock };
  const shared = await share(store, { page: 'crawlers', view: 'by=bot&weeks=12' }, sharing);
  const report = await share(store, { page: 'overview', view: '' }, sharing);
  return [
    { name: 'crawlers', path: '/w/demo/crawlers?weeks=26', person: ada },
    { name: 'crawlers-refused', path: '/w/demo/crawlers?by=refused', person: ben },
    { name: 'crawlers-cited', path: '/w/demo/crawlers?by=cited', person: ada },
    { name: 'crawlers-bots', path: '/w/demo/crawlers?by=bot', person: ben },
    { name: 'crawlers-robots', path: '/w/demo/crawlers?by=robots', person: ben },
    { name: 'crawlers-requests', path: '/w/demo/crawlers?by=request', person: ada },
    { name: 'crawlers-people', path: '/w/demo/crawlers?by=people', person: ada },
    { name: 'crawlers-filtered-out', path: '/w/demo/crawlers?host=nobody.com', person: ada },
    { name: 'crawlers-none', path: '/w/empty/crawlers', person: ada },
    { name: 'crawler', path: '/w/demo/crawlers/GPTBot?by=page', person: ada },
    { name: 'receivers', path: receivers, person: ada, act: addReceiverHere },
    { name: 'receivers-of-a-viewer', path: receivers, person: ben },
    { name: 'collection', path: '/w/demo/settings/collection', person: ada },
    { name: 'collection-of-a-viewer', path: '/w/demo/settings/collection', person: ben },
    { name: 'collection-none', path: '/w/empty/settings/collection', person: ada },
    { name: 'report-links', path: '/w/demo/settings/links?page=crawlers', person: ada },
    { name: 'report-links-none', path: '/w/empty/settings/links', person: ada },
    { name: 'report-link-made', path: '/w/demo/settings/links', person: ada, act: makeReport },
    { name: 'messages', path: messages, person: ada, act: addWebhookHere },
    { name: 'messages-of-a-viewer', path: messages, person: ben },
    { name: 'messages-none', path: '/w/empty/settings/messages', person: ada },
    { name: 'shared', path: `/s/${shared}` },
    { name: 'shared-overview', path: `/s/${report}` },
    { name: 'shared-ended', path: '/s/nothing', status: 404 },
  ];
}

/** Two engines, one of them off, a budget, and the readings of the day. */
export async function setUpCollecting(
  store: Store,
  workspaceId: string,
  clock: () => number,
): Promise<void> {
  const engine = { ...madeUpEngine, baseUrl: 'http://127.0.0.1:9/v1' };
  for (const name of ['demo_api', 'other_api']) {
    await saveEngine(store.access, { ...engine, name }, clock);
    await setLimits(store, name, { timeoutMs: 1000, gapMs: 10, boundUsd: 0.02 });
  }
  await disableEngine(store.access, 'other_api', clock);
  const budget = { dayUsd: 5, monthUsd: 50, sweeps: 3 };
  await setAllowance(store, workspaceId, budget, { isOperator: true });
  await switchPrompts(store, workspaceId, { ids: 'all', isOn: true });
  const plan = { workspaceId, engines: ['demo_api'], sweeps: 3, restoredAt: null, nowMs: clock() };
  await planReadings(store, await requireLedger(store), plan);
}

/** A report link of a page. */
function share(
  store: Store,
  page: { readonly page: string; readonly view: string },
  { workspaceId, userId, clock }: { workspaceId: string; userId: string; clock: () => number },
): Promise<string> {
  const link = { id: newId(clock), workspace_id: workspaceId, name: 'the board', ...page };
  return makeReportLink(store.access, { ...link, has_texts: false }, { days: 30, userId, clock });
}
