import { expect, test } from 'vitest';
import { aWorkspace } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { nowMs } from '../../../../test/servers/api.ts';

const clock = () => nowMs;

eachStore('choosing prompts', (open) => {
  test('ticked proposals and own questions are added and switched on, once each', async () => {
    const { store } = await open({ clock });
    const workspaceId = await aWorkspace(store);
    const web = await startWeb(store, { clock });
    const visitor = new Visitor(web, await newPerson(store, { workspaceId, role: 'editor' }));
    const path = `/w/w${workspaceId.slice(0, 8)}/start/prompts`;
    const { body } = await visitor.get(`${path}?what=CRM&who=small+shops`);
    expect(body).toContain('value="What is the best CRM for small shops?"');
    expect(body.replaceAll(/\s+/g, ' ')).toContain(
      'What are good alternatives to Globex? <span class="tag">names a competitor</span>',
    );
    const sent = new URLSearchParams([
      ['prompt[]', 'What is the best CRM for small shops?'],
      ['own', 'Which CRM is quick?\n\nWhat is the best CRM for small shops?'],
      ['locale', 'en-US'],
      ['collect', 'on'],
    ]);
    const headers = { 'sec-fetch-site': 'same-origin' };
    for (const status of [303, 303]) {
      expect((await visitor.postText(path, sent.toString(), headers)).statusCode).toBe(status);
    }
    const rows = await store.reader.selectFrom('prompts').select(['text', 'collect']).execute();
    const states = rows.map(({ text, collect }) => `${text} ${Boolean(collect)}`);
    expect(states.toSorted((left, right) => (left < right ? -1 : 1))).toEqual([
      'What is the best CRM for small shops? true',
      'Which CRM is quick? true',
    ]);
    const none = await visitor.post(path, { own: ' ', locale: 'en-US' });
    expect([none.statusCode, none.body.includes('at least one question')]).toEqual([400, true]);
  });
});
