import { expect, test } from 'vitest';
import { importRows, now } from '../../../../test/answers/answers.ts';
import type { Store } from '../../../storage/store.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { publishMonths, publishesMonths, setMonthly } from '../../../publishing/publish-months.ts';
import { clock, opened } from '../../../../test/browsers/published-reports.ts';

eachStore({ title: 'publishing', onBoth: true }, (open) => {
  test('the overview offers Publish only where it shows all that a report has', async () => {
    const place = await opened(open);
    const editor = await place.as('editor');
    await importRows(place.store, place.workspaceId, [
      {
        prompt: 'Which shop?',
        engine: 'chatgpt',
        run_at: '2026-10-30T06:00:00Z',
        locale: 'en-US',
        queries: ['shop'],
        answer: 'Acme.',
      },
    ]);
    const filters = ['engine=chatgpt', 'surface=app', 'locale=en-US', 'searched=yes'];
    for (const filter of [...filters, 'competitor_prompts=exclude']) {
      const { body } = await editor.get(
        `/w/${place.slug}/?from=2026-10-01&to=2026-10-31&${filter}`,
      );
      expect(body).toContain('id="who-appears"');
      expect(body).not.toContain('>Publish</button>');
    }
    const all = await editor.get(`/w/${place.slug}/?from=2026-10-01&to=2026-10-31`);
    expect(all.body).toContain('>Publish</button>');
  });

  test('a month that is switched off while it is published stays off', async () => {
    const { store, workspaceId } = await opened(open);
    await setMonthly(store, workspaceId, { isOn: true, nowMs: now });
    const slow: Store = {
      ...store,
      snapshot: async (of) => {
        await setMonthly(store, workspaceId, { isOn: false, nowMs: now });
        return store.snapshot(of);
      },
    };
    await publishMonths(slow, workspaceId, () => Date.parse('2027-02-01T00:01:00Z'));
    expect(await publishesMonths(store, workspaceId)).toBe(false);
  });

  test('switching months on again leaves out no month', async () => {
    const { store, workspaceId } = await opened(open);
    await setMonthly(store, workspaceId, { isOn: true, nowMs: now });
    const december = Date.parse('2026-12-01T00:00:30Z');
    await setMonthly(store, workspaceId, { isOn: true, nowMs: december });
    expect(await publishMonths(store, workspaceId, () => december)).toBe(1);
  });

  test('several servers publish each month once when it is over, and not again once it was removed', async () => {
    const { store, workspaceId, as, slug, list } = await opened(open);
    const admin = await as('admin');
    const at = (moment: string) => () => Date.parse(moment);
    expect(await publishMonths(store, workspaceId, clock)).toBe(0);
    await admin.post(`/w/${slug}/reports/monthly`, { on: 'on' });
    expect(await publishMonths(store, workspaceId, at('2026-11-30T23:59:59Z'))).toBe(0);
    const servers = [1, 2].map(() => publishMonths(store, workspaceId, at('2026-12-01T00:01:00Z')));
    await Promise.all(servers);
    const [only, ...others] = (await list()).reports;
    expect([only.from, only.to, others]).toEqual(['2026-11-01', '2026-11-30', []]);
    await admin.post(`/w/${slug}/reports/unpublish`, { id: only.id });
    expect(await publishMonths(store, workspaceId, at('2026-12-31T00:01:00Z'))).toBe(0);
    // A server that was away publishes what it missed.
    expect(await publishMonths(store, workspaceId, at('2027-02-03T00:01:00Z'))).toBe(2);
    await admin.post(`/w/${slug}/reports/monthly`, { on: '' });
    expect(await publishMonths(store, workspaceId, at('2027-03-03T00:01:00Z'))).toBe(0);
  });
});
