import { expect, test } from 'vitest';
import { makePlace } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readKnownFiles } from '../operators/operator-file.ts';
import { matches } from '../verify/host-names.ts';
import { bots } from './catalogue.ts';
import {
  addWorkspaceBot,
  findMatchingBrowser,
  readOwnBots,
  readWorkspaceBots,
} from './workspace-bots.ts';

const row = { token: 'AcmeFetch', name: 'Acme', company: 'Acme', category: 'user' };
const facts = { docs: null, checked: null };

eachStore("a workspace's own bot", (open) => {
  test('an own bot is recognised beside the catalogue, and its key directory can be fetched', async () => {
    const { store } = await open();
    const { workspaceId } = await makePlace({ store });
    const dns = ['fetch-*.acme.com'];
    await addWorkspaceBot(store, workspaceId, { ...row, ...facts, dns, agent: 'bots.acme.com' });
    const all = await readWorkspaceBots(store.reader, workspaceId);
    expect(all).toHaveLength(bots.length + 1);
    expect(all.at(-1)).toMatchObject({ token: 'AcmeFetch', agent: 'bots.acme.com' });
    expect(await readOwnBots(store.reader)).toContainEqual(all.at(-1));
    expect(await readKnownFiles(store.reader)).toContainEqual({
      id: 'web-bot-auth/bots.acme.com',
      url: 'https://bots.acme.com/.well-known/http-message-signatures-directory',
    });
  });

  test('an own bot cannot have a token that browsers send', async () => {
    const { store } = await open();
    const { workspaceId } = await makePlace({ store });
    for (const token of ['Mozilla', 'mobile', 'Safari', 'Firefox', 'iPhone', 'Android', 'Gecko']) {
      await expect(
        addWorkspaceBot(store, workspaceId, { ...row, ...facts, token }),
        token,
      ).rejects.toMatchObject({ code: 'bot_token_of_browser' });
    }
    expect(await readWorkspaceBots(store.reader, workspaceId)).toHaveLength(bots.length);
  });

  test('an own bot cannot have host names that never match, or a key directory without a host', async () => {
    const { store } = await open();
    const { workspaceId } = await makePlace({ store });
    for (const wrong of [{ dns: ['a-*.b-*.acme.com'] }, { agent: 'https://acme.com/keys' }]) {
      await expect(
        addWorkspaceBot(store, workspaceId, { ...row, ...facts, ...wrong }),
      ).rejects.toMatchObject({ code: 'bot_malformed' });
    }
  });
});

test('no bot of the catalogue has a token that browsers send, or a host name that never matches', () => {
  expect(bots.filter((bot) => findMatchingBrowser(bot) !== undefined)).toEqual([]);
  for (const pattern of bots.flatMap(({ dns }) => dns)) {
    expect(matches(pattern.replace('*', '66-249-66-1'), pattern), pattern).toBe(true);
  }
});
