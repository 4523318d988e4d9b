import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { readTagsByPrompt } from '../../../storage/prompt-tags.ts';
import { importText } from '../../../../test/answers/transferring.ts';
import { actions } from '../../../transfer/resources/actions.ts';
import { tagPrompts } from '../../../workspaces/tags.ts';
import { deriveActions } from '../../../answers/actions/derive.ts';

const clock = () => now;
const tents = ['What is a good family tent?', 'family tents for camping', 'best family tent'];
const boots = ['Which hiking boots fit wide feet?', 'hiking boots wide feet', 'Best wide boots'];
const others = ['How long do batteries last?', 'Who sells kayaks in Wales?', 'Is wool warm?'];

/** Answers to tents name only Globex, those to boots Acme. */
async function aVisitor(open: Open) {
  const { store } = await open();
  const workspaceId = await aWorkspace(store);
  const rows = (texts: readonly string[], answer: string) =>
    texts.flatMap((prompt) =>
      Array.from({ length: 8 }, (_, hour) => ({
        prompt,
        engine: 'chatgpt',
        run_at: `2026-11-19T0${hour}:00:00Z`,
        answer,
      })),
    );
  await importRows(store, workspaceId, [
    ...rows(tents, 'Globex.'),
    ...rows(boots, 'Acme.'),
    ...rows(others, 'Acme and Globex.'),
  ]);
  const web = await startWeb(store, { clock });
  const slug = `w${workspaceId.slice(0, 8)}`;
  const visitorOf = async (role: 'viewer' | 'editor', name: string) =>
    new Visitor(web, await newPerson(store, { workspaceId, role, name, clock }));
  const [editor, viewer] = [await visitorOf('editor', 'Ada'), await visitorOf('viewer', 'Ben')];
  const page = async (path: string, by = editor) =>
    (await by.get(`/w/${slug}/${path}`)).body.replaceAll(/\s+/g, ' ');
  const post = (path: string, fields: Readonly<Record<string, string>>, by = editor) =>
    by.post(`/w/${slug}/${path}`, fields);
  const accept = async (values: readonly string[], wanted: string, by = editor) => {
    const fields = [...values.map((value) => ['topic[]', value]), ['do', wanted]];
    const form = new URLSearchParams(fields).toString();
    return (await by.postText(`/w/${slug}/topics/accept`, form)).statusCode;
  };
  const prompts = await store.reader
    .selectFrom('prompts')
    .select(['id', 'text'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const idsOf = (texts: readonly string[]) =>
    texts.map((text) => prompts.find((each) => each.text === text)?.id ?? '');
  const topics = async () => {
    const tags = await readTagsByPrompt(store.reader, workspaceId);
    return Object.fromEntries(
      prompts.flatMap(({ id, text }) => {
        const [topic] = tags.get(id)?.keys() ?? [];
        return topic === undefined ? [] : [[text, topic]];
      }),
    );
  };
  return { store, workspaceId, viewer, page, post, accept, idsOf, topics };
}

/** The values of the form, as a browser sends them when nothing is changed. */
function valuesOf(shown: string): string[] {
  return [...shown.matchAll(/name="topic\[\]" value="([^"]*)"/g)].map(([, value = '']) => value);
}

eachStore('the page of topics', (open) => {
  test('proposed topics group nothing until an editor accepts them, as ticked and named', async () => {
    const { page, accept, viewer, topics, idsOf } = await aVisitor(open);
    const shown = await page('topics');
    expect(shown).toContain('2 topics proposed for 6 of 9 prompts');
    expect(shown).toContain('3 prompts without a topic or a proposal');
    expect(await topics()).toEqual({});
    expect(await page('topics', viewer)).not.toContain('topics/accept');
    const [first = ''] = boots;
    const values = valuesOf(shown)
      .filter((value) => value !== idsOf([first])[0])
      .map((value) => (value === 'Hiking boots wide feet' ? 'Wide boots' : value));
    expect(await accept(values, 'all', viewer)).toBe(403);
    expect(await topics()).toEqual({});
    expect(await accept(values, 'all')).toBe(303);
    expect(await topics()).toEqual({
      ...Object.fromEntries(tents.map((text) => [text, 'Family tent'])),
      ...Object.fromEntries(boots.slice(1).map((text) => [text, 'Wide boots'])),
    });
    expect(await page('settings/history')).toContain('tagged <strong>3 prompts: Family tent');
    // The prompt that was unticked is proposed for the topic of those like it.
    expect(await page('topics')).toContain('Add to this topic');
  });

  test('one topic is accepted alone, and a prompt that got a topic meanwhile keeps it', async () => {
    const { page, accept, store, workspaceId, topics, idsOf } = await aVisitor(open);
    const values = valuesOf(await page('topics'));
    const at = values.filter((_, index) => values[index - 1] === 'topic').indexOf('Family tent');
    await tagPrompts(store, workspaceId, {
      ids: idsOf(tents.slice(0, 1)),
      tag: 'Camping',
      isTopic: true,
    });
    expect(await accept(values, String(at))).toBe(303);
    const [first = '', ...rest] = tents;
    expect(await topics()).toEqual({
      [first]: 'Camping',
      ...Object.fromEntries(rest.map((text) => [text, 'Family tent'])),
    });
  });

  test('the page says which topics are lost to whom, renames and merges them, and gives them as a file', async () => {
    const { page, post, store, workspaceId, topics, idsOf } = await aVisitor(open);
    const give = (texts: readonly string[], tag: string) =>
      tagPrompts(store, workspaceId, { ids: idsOf(texts), tag, isTopic: true });
    await give(tents, 'Tents');
    await give(boots, 'Boots');
    expect(await page('topics')).toContain('You lose 1 of 2 topics to Globex');
    expect(await page('')).toMatch(/>Tents<\/b> ?<details class="fold" ?> ?<summary>3 prompts</);
    const lines = (await page('topics?format=csv')).split(' ');
    expect(lines[0]).toContain('topic,outside_market,prompts,runs,cited,rate');
    expect(lines[1]).toMatch(/^Tents,false,3,24,0,0,.*,Globex,1,true,0$/);
    const rename = { topic: 'Tents', name: 'boots', do: 'rename' };
    expect((await post('topics/change', rename)).statusCode).toBe(303);
    expect(new Set(Object.values(await topics()))).toEqual(new Set(['Boots']));
    expect(await page('settings/history')).toContain('renamed a tag: <strong>Tents: Boots');
    for (const name of ['', 'a,b', 'x'.repeat(61)]) {
      const refused = await post('topics/change', { topic: 'Boots', name, do: 'rename' });
      expect(refused.statusCode).toBe(400);
    }
    const gone = { topic: 'Tents', name: 'Tent', do: 'rename' };
    expect((await post('topics/change', gone)).statusCode).toBe(404);
  });

  test('gaps of one topic are one card, and those of a topic outside of the market are none', async () => {
    const { page, post, store, workspaceId, idsOf } = await aVisitor(open);
    await deriveActions(store, { workspaceId, clock });
    const [prompt_id] = idsOf(tents);
    const imported = { prompt_id, recommendation: 'Call them.', priority: 'high' };
    await importText(store, { workspaceId, resource: actions }, JSON.stringify(imported));
    const before = await page('gaps');
    const [, all = '0'] = />Open (\d+)</.exec(before) ?? [];
    await tagPrompts(store, workspaceId, { ids: idsOf(tents), tag: 'Tents', isTopic: true });
    const grouped = await page('gaps');
    expect(grouped).toContain(`>Open ${all}<`);
    expect(grouped).toMatch(
      /tag=Tents">Tents<\/a> ?<p>4 gaps of 3 prompts: Never appears 3, [^<]+ 1\.</,
    );
    expect((await page('gaps?tag=Tents')).match(/id="gap-/g)).toHaveLength(4);
    await post('topics/change', { topic: 'Tents', do: 'outside' });
    const left = await page('gaps');
    expect(left).toContain(`>Open ${Number(all) - 4}<`);
    expect(left).not.toMatch(/tag=Tents">Tents<\/a> ?<p>/);
    expect(left).toContain('4 gaps of');
    expect(await page('topics')).toContain('Grey topics are not your market');
    expect(await page('topics')).toContain('None of your topics is your market');
    await store.writer.deleteFrom('actions').execute();
    const { opened } = await deriveActions(store, { workspaceId, clock });
    expect(opened).toHaveLength(Number(all) - 4);
    await post('topics/change', { topic: 'Tents', do: 'inside' });
    expect((await deriveActions(store, { workspaceId, clock })).opened).toHaveLength(3);
  });
});
