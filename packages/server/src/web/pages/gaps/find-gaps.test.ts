// @module-tag slow
import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { listJobs } from '../../../jobs/jobs.ts';
import { dayMs } from '../../../values/time/utc-day.ts';

const clock = Date.now;

eachStore('the button that finds gaps', (open) => {
  test('an editor finds the gaps by a button, and a viewer has none', async () => {
    const place = await open();
    const { store } = place;
    const workspaceId = await aWorkspace(store);
    const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
    const rows = [1, 2, 3, 4, 5].map((hour) => ({
      prompt: 'Which CRM?',
      engine: 'chatgpt',
      run_at: `${yesterday}T0${hour}:00:00Z`,
      answer: 'Globex.',
    }));
    await importRows(store, workspaceId, rows, { clock });
    const web = await startWeb(store, { runner: aRunner(place), clock });
    const slug = `w${workspaceId.slice(0, 8)}`;
    const visitorOf = async (role: 'viewer' | 'editor') =>
      new Visitor(web, await newPerson(store, { workspaceId, role, name: 'Ada', clock }));
    const [editor, viewer] = [await visitorOf('editor'), await visitorOf('viewer')];
    const { body, headers } = await editor.get(`/w/${slug}/gaps`);
    const [, form = ''] = /name="form" value="([^"]*)"/.exec(body) ?? [];
    expect((await viewer.get(`/w/${slug}/gaps`)).body).not.toContain('Find gaps now');
    expect((await viewer.post(`/w/${slug}/gaps/find`, { form })).statusCode).toBe(403);
    expect((await editor.post(`/w/${slug}/gaps/find`, { form })).statusCode).toBe(303);
    const job = await reached(store, { workspaceId, id: form });
    expect(job).toMatchObject({ state: 'done', outcome: { result: { gaps: 1 } } });
    const seen = { 'if-none-match': String(headers['etag']) };
    const after = await editor.get(`/w/${slug}/gaps`, seen);
    expect(after.body.replaceAll(/\s+/g, ' ')).toContain('>1 new gap</a>');
    expect(after.body).toContain('Appear for');
    const jobs = await listJobs(store.access, { workspaceId, kind: 'gaps', limit: 5 });
    expect(jobs).toHaveLength(1);
  });
});
