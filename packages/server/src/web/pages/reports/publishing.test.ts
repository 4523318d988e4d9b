import { expect, test } from 'vitest';
import { importRows, now } from '../../../../test/answers/answers.ts';
import type { Store } from '../../../storage/store.ts';
import { doWork } from '../../../jobs/do-work.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { assumeType } from '../../../values/assume-type.ts';
import { newId } from '../../../values/uuid.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { publishMonths, publishesMonths, setMonthly } from '../../../publishing/publish-months.ts';
import { clock, opened, publish, textOf } from '../../../../test/browsers/published-reports.ts';

/** An answer of a month. */
function answerIn(month: string) {
  return [
    { prompt: 'Which CRM?', engine: 'chatgpt', run_at: `${month}-05T06:00:00Z`, answer: 'Acme.' },
  ];
}

eachStore({ title: 'publishing', onBoth: true }, (open) => {
  test(
    'the overview offers Publish only where it shows all that a report has',
    { tags: ['once'] },
    async () => {
      const { slug, as, store, workspaceId } = await opened(open);
      const row = { prompt: 'Which shop?', engine: 'chatgpt', run_at: '2026-10-30T06:00:00Z' };
      await importRows(store, workspaceId, [
        { ...row, locale: 'en-US', queries: ['shop'], answer: 'Acme.' },
      ]);
      const editor = await as('editor');
      const october = `/w/${slug}/?from=2026-10-01&to=2026-10-31`;
      const filters = ['engine=chatgpt', 'surface=app', 'locale=en-US', 'searched=yes'];
      for (const filter of [...filters, 'competitor_prompts=exclude']) {
        const { body } = await editor.get(`${october}&${filter}`);
        expect(body).toContain('id="who-appears"');
        expect(body).not.toContain('>Publish</button>');
      }
      expect((await editor.get(october)).body).toContain('>Publish</button>');
    },
  );

  test(
    'a month that is switched off while it is published stays off',
    { tags: ['once'] },
    async () => {
      const { store, workspaceId } = await opened(open);
      await setMonthly(store, workspaceId, { isOn: true, nowMs: now });
      await importRows(store, workspaceId, answerIn('2026-11'));
      const slow: Store = {
        ...store,
        snapshot: async (of) => {
          await setMonthly(store, workspaceId, { isOn: false, nowMs: now });
          return store.snapshot(of);
        },
      };
      await publishMonths(slow, workspaceId, () => Date.parse('2027-02-01T00:01:00Z'));
      expect(await publishesMonths(store, workspaceId)).toBe(false);
    },
  );

  test('switching months on again leaves out no month', { tags: ['once'] }, async () => {
    const { store, workspaceId } = await opened(open);
    await setMonthly(store, workspaceId, { isOn: true, nowMs: now });
    await importRows(store, workspaceId, answerIn('2026-11'));
    const december = Date.parse('2026-12-01T00:00:30Z');
    await setMonthly(store, workspaceId, { isOn: true, nowMs: december });
    expect(await publishMonths(store, workspaceId, () => december)).toBe(1);
  });

  test('a failure of publishing months fails no job', { tags: ['once'] }, async () => {
    const { store, workspaceId } = await opened(open);
    await setMonthly(store, workspaceId, { isOn: true, nowMs: now });
    const failures: unknown[] = [];
    const broken: Store = { ...store, snapshot: () => Promise.reject(new Error('no snapshot')) };
    const job = { work: { kind: 'gaps' }, workspaceId, userId: null } as const;
    const result = await doWork(broken, assumeType<Job>(job), {
      fd: undefined,
      asking: undefined,
      clock: () => Date.parse('2026-12-01T00:01:00Z'),
      signal: new AbortController().signal,
      onProgress: () => {},
      onFailure: (error) => failures.push(error),
    });
    expect(result).toHaveProperty('gaps');
    expect(failures).toEqual([new Error('no snapshot')]);
  });

  test(
    'a period that has not begun is refused, and a report says that its period had not ended',
    { tags: ['once'] },
    async () => {
      const { slug, as, list } = await opened(open);
      const editor = await as('editor');
      const post = (from: string, to: string) =>
        editor.post(`/w/${slug}/reports`, { form: newId(clock), from, to, tag: '' });
      expect((await post('2027-01-01', '2027-01-31')).statusCode).toBe(400);
      expect((await list()).reports).toEqual([]);
      const early = String((await post('2026-10-01', '2026-11-20')).headers.location);
      expect(textOf((await editor.get(early)).body)).toContain('before the period had ended.');
      const whole = String((await post('2026-10-01', '2026-10-31')).headers.location);
      expect(textOf((await editor.get(whole)).body)).not.toContain('before the period');
    },
  );

  test(
    'a report keeps the name of the person who published it, and the server says that it did',
    { tags: ['once'] },
    async () => {
      const place = await opened(open);
      const { store, workspaceId, slug, list } = place;
      const editor = await place.as('editor');
      const id = await publish(place, editor);
      await store.access.updateTable('users').set({ name: 'Grace Example' }).execute();
      const page = await editor.get(`/w/${slug}/reports?id=${id}`);
      expect(textOf(page.body)).toContain('Published on 20 November 2026 by Ada Example; figures');
      await setMonthly(store, workspaceId, { isOn: true, nowMs: Date.parse('2026-10-20') });
      await publishMonths(store, workspaceId, () => Date.parse('2026-11-01T00:01:00Z'));
      const monthly = (await list()).reports.find((row: { id: string }) => row.id !== id);
      const other = await editor.get(`/w/${slug}/reports?id=${monthly.id}`);
      expect(textOf(other.body)).toContain('Published on 1 November 2026 by the server; figures');
    },
  );

  test('several servers publish each month once when it is over, and not again once it was removed', async () => {
    const { store, workspaceId, as, slug, list } = await opened(open);
    const admin = await as('admin');
    await importRows(store, workspaceId, answerIn('2026-11'));
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
    // A server that was away publishes what it missed, without August, which has no answers.
    await setMonthly(store, workspaceId, { isOn: false, nowMs: now });
    await setMonthly(store, workspaceId, { isOn: true, nowMs: Date.parse('2026-08-15') });
    expect(await publishMonths(store, workspaceId, at('2026-12-31T00:01:00Z'))).toBe(2);
    await admin.post(`/w/${slug}/reports/monthly`, { on: '' });
    expect(await publishMonths(store, workspaceId, at('2027-03-03T00:01:00Z'))).toBe(0);
  });
});
