import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';

const clock = () => now;

/** Two workspaces with the same words, and a viewer of the first. */
async function aViewer(open: Open) {
  const { store } = await open({ clock });
  const [own, other] = [await aWorkspace(store), await aWorkspace(store)];
  for (const [workspaceId, words] of [
    [own, 'mine'],
    [other, 'strange'],
  ] as const) {
    await importRows(store, workspaceId, [
      {
        prompt: `Which ÁRBOL is ${words}?`,
        engine: 'chatgpt',
        run_at: '2026-11-19T05:00:00Z',
        answer: `An **árbol** of Globex, which is ${words} <b>here</b>.`,
      },
    ]);
  }
  await store.writer.updateTable('workspaces').set({ name: 'Árbol Ltd' }).execute();
  const web = await startWeb(store, { clock });
  const visitorOf = async (isOperator: boolean) =>
    new Visitor(
      web,
      await newPerson(store, { workspaceId: own, role: 'viewer', isOperator, clock }),
    );
  const slugOf = (id: string) => `w${id.slice(0, 8)}`;
  const visitor = await visitorOf(false);
  const find = async (text: string, who = visitor) => {
    const { statusCode, body } = await who.get(
      `/w/${slugOf(own)}/find?q=${encodeURIComponent(text)}`,
    );
    return { statusCode, found: /id="found"[^]*?<\/main>/.exec(body)?.[0] ?? '' };
  };
  return { store, visitor, visitorOf, find, own: slugOf(own), other: slugOf(other) };
}

eachStore({ title: 'finding', onBoth: true }, (open) => {
  test(
    'a viewer finds prompts, competitors, answers and workspaces in any case, and nothing of another workspace',
    { tags: ['once'] },
    async () => {
      const { find, visitor, visitorOf, own, other } = await aViewer(open);
      const { found } = await find('árBOL');
      expect(found).toContain('Which ÁRBOL is mine?');
      expect(found).toContain('An árbol of Globex, which is mine &lt;b&gt;here&lt;/b&gt;.');
      expect(found).toContain(`href="/w/${own}/"`);
      expect(found).not.toContain('strange');
      expect(found).not.toContain(other);
      expect((await find('glob')).found).toContain('>Globex</a>');
      expect((await find('strange')).found).toContain('Nothing has');
      expect((await visitor.get(`/w/${other}/find?q=strange`)).statusCode).toBe(404);
      const operator = await visitorOf(true);
      const all = await find('árbol', operator);
      expect(all.found).toContain(`href="/w/${other}/"`);
      expect(all.found).not.toContain('strange');
    },
  );

  test('a text of one character finds nothing, and one that is too long is refused', async () => {
    const { find } = await aViewer(open);
    expect((await find('a')).found).toContain('Type at least 2 characters.');
    expect((await find('')).statusCode).toBe(200);
    expect((await find('%')).found).not.toContain('Globex');
    expect((await find('%%')).found).toContain('Nothing has');
    expect((await find('a'.repeat(101))).statusCode).toBe(400);
  });
});
