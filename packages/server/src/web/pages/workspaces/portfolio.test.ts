import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { writeReading } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { fillCounts } from '../../../answers/counts/fill-counts.ts';
import { setAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { setAllowance } from '../../../collect/ledger/budgets.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import type { Store } from '../../../storage/store.ts';

const clock = () => now;
const dayMs = 86_400_000;

/** A workspace whose brand was in so many of 10 answers to each of 12 prompts, before and in these 4 weeks. */
async function aMover(
  store: Store,
  {
    name,
    before,
    after,
    lastDaysAgo = 1,
  }: { name: string; before: number; after: number; lastDaysAgo?: number },
): Promise<string> {
  const id = await aWorkspace(store);
  await store.writer.updateTable('workspaces').set({ name }).where('id', '=', id).execute();
  const rows = Array.from({ length: 12 * 20 }, (_, index) => {
    const [prompt, place] = [Math.floor(index / 20), index % 20];
    const isAfter = place < 10;
    const spread = (prompt % 3) - 1;
    const count = isAfter ? after + spread : before - spread;
    const at = now - dayMs * (isAfter ? lastDaysAgo + (place % 10) : 28 + (place % 10));
    return {
      prompt: `Which CRM is number ${prompt}?`,
      engine: 'chatgpt',
      run_at: new Date(at - prompt * 60_000).toISOString(),
      answer: place % 10 < count ? 'Acme.' : 'Globex.',
    };
  });
  await importRows(store, id, rows, { clock });
  await fillCounts(store, id);
  return id;
}

function wordsOf(body: string): string {
  return body.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ');
}

eachStore({ title: 'the list of workspaces', onBoth: true }, (open) => {
  test('it says which workspaces fell and rose, and shows a person only their own', async () => {
    const { store } = await open({ clock });
    const fallen = await aMover(store, { name: 'Fallen', before: 8, after: 2 });
    const risen = await aMover(store, { name: 'Risen', before: 2, after: 8 });
    const quiet = await aMover(store, { name: 'Quiet', before: 5, after: 5 });
    await aMover(store, { name: 'Foreign', before: 8, after: 2 });
    const person = await newPerson(store, { workspaceId: fallen, clock });
    for (const workspace_id of [risen, quiet]) {
      const member = {
        workspace_id,
        user_id: person.id,
        role: 'viewer',
        created_at: '2026',
      } as const;
      await store.access.insertInto('members').values(member).execute();
    }
    const visitor = new Visitor(await startWeb(store, { clock }), person);
    const { body } = await visitor.get('/');
    const words = wordsOf(body);
    expect(words).toContain('None of 3 workspaces needs you. 1 fell, 1 rose.');
    expect(words).not.toContain('Foreign');
    expect(words).toMatch(/Fallen [^F]*20 % \u2193 60 points/);
    expect(words).toMatch(/Risen [^F]*80 % \u2191 60 points/);
    expect(words).toMatch(/Quiet [^F]*50 % = no real change/);
    expect(body.indexOf('>Fallen<')).toBeLessThan(body.indexOf('>Risen<'));
    expect(wordsOf((await visitor.get('/?show=fell')).body)).not.toContain('Risen');
    const found = wordsOf((await visitor.get('/?q=rIS')).body);
    expect(found).toContain('Risen');
    expect(found).not.toContain('Quiet');
    expect((await visitor.get('/?q=foreign')).body).not.toContain('>Foreign<');
    expect((await visitor.get('/?show=nothing')).statusCode).toBe(400);
  });

  test(
    'workspaces that need somebody come first, with the reason',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      await aMover(store, { name: 'Fine', before: 5, after: 5 });
      const silent = await aMover(store, { name: 'Silent', before: 5, after: 5, lastDaysAgo: 4 });
      const spent = await aMover(store, { name: 'Spent', before: 5, after: 5 });
      const fresh = await aWorkspace(store);
      await store.writer
        .updateTable('workspaces')
        .set({ name: 'Fresh' })
        .where('id', '=', fresh)
        .execute();
      const unasked = await aMover(store, { name: 'Later', before: 5, after: 5, lastDaysAgo: 4 });
      for (const id of [silent, spent, unasked]) {
        const prompts = await store.reader
          .selectFrom('prompts')
          .select('id')
          .where('workspace_id', '=', id)
          .execute();
        await switchPrompts(store, id, { ids: prompts.map((prompt) => prompt.id), isOn: true });
        await store.ledger({ mayCreate: true });
        await setAllowance(
          store,
          id,
          { dayUsd: 10, monthUsd: 10, sweeps: 3 },
          { isOperator: true },
        );
      }
      const ledger = await store.ledger();
      const budget = {
        workspace_id: spent,
        period: '2026-11',
        spent_micros: 9_200_000,
        held_micros: 0,
      };
      await ledger?.write((db) => db.insertInto('budgets').values(budget).execute());
      await setAskingSwitch(store, { isOn: true, clock: () => now - 9 * dayMs });
      await writeReading(store, silent, { day: '2026-11-14' });
      const person = await newPerson(store, { isOperator: true, clock });
      const visitor = new Visitor(await startWeb(store, { clock }), person);
      const { body } = await visitor.get('/');
      const words = wordsOf(body);
      expect(words).toContain('2 of 5 workspaces need you. None has really changed.');
      expect(words).toMatch(/Silent [^F]*No answers for 4 days/);
      // The switch is on, and Later was not asked yet.
      expect(words.match(/No answers for/g)).toHaveLength(1);
      expect(words).toMatch(/Spent [^F]*\$9\.20 Budget 92 % used/);
      expect(words).toMatch(/Fresh .*Setting up/);
      const places = ['Silent', 'Spent', 'Fresh', 'Fine'].map((name) => body.indexOf(`>${name}<`));
      expect(places).toEqual(places.toSorted((left, right) => left - right));
      // A workspace that is not asked by itself is not missing answers.
      await setAskingSwitch(store, { isOn: false, clock });
      expect(wordsOf((await visitor.get('/')).body)).not.toContain('No answers for');
    },
  );
});
