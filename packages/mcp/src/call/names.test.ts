import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectHost } from '../../test/connect.ts';
import { sendProblem, startFakeOverheard } from '../../test/fake-overheard.ts';
import type { FakeOverheard } from '../../test/fake-overheard.ts';
import { idOf } from '../../test/rows.ts';

let fake: FakeOverheard;
let host: Awaited<ReturnType<typeof connectHost>>;
beforeEach(async () => {
  fake = await startFakeOverheard();
  host = await connectHost({ url: fake.url });
});
afterEach(async () => {
  await host.close();
  await fake.close();
});

test.each(['Globex', 'gLOBEX', idOf('b', 1), idOf('b', 1).toUpperCase()])(
  'detections of one subject are found by %s',
  async (subject) => {
    const { rows, page } = await host.call('get_detections', { subject });
    expect(page['matched']).toBe(60);
    expect(new Set(rows.map((row) => row['subject']))).toEqual(new Set(['Globex']));
  },
);

test('a subject that nobody is called is refused with the names that there are', async () => {
  const { isError, text } = await host.call('get_detections', { subject: 'Globx' });
  expect(isError).toBe(true);
  expect(text).toContain('No subject is called "Globx"; there are "Acme", "Globex", "Initech".');
});

test('names are asked for once, and without them rows have their ids', async () => {
  await host.call('get_detections');
  await host.call('get_detections', { engine: 'chatgpt' });
  expect(fake.seen.filter(({ url }) => url.endsWith('/subjects'))).toHaveLength(1);
  const other = await connectHost({ url: fake.url });
  fake.behave((request, response) => {
    if (request.url?.endsWith('/subjects') === true) sendProblem(response, 'not_found');
    else response.end(JSON.stringify({ detections: fake.data.detections }));
  });
  const { rows, isError } = await other.call('get_detections');
  expect(isError).toBe(false);
  expect(rows[0]?.['subject']).toBeUndefined();
  expect(rows[0]?.['subject_id']).toBe(idOf('b', 0));
  await other.close();
});

test('the text of the prompt stands beside the id of an action', async () => {
  const { rows } = await host.call('get_actions');
  expect(rows[0]).toMatchObject({ prompt_id: idOf('a', 0), prompt: 'Which CRM suits agency 0?' });
});
