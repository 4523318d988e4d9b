import { expect, test } from 'vitest';
import { connectHost } from '../../../mcp/test/connect.ts';
import { sendProblem } from '../../../mcp/test/fake-overheard.ts';
import { idOf } from '../../../mcp/test/rows.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

test.each(['Globex', 'gLOBEX', idOf('b', 1), idOf('b', 1).toUpperCase()])(
  'detections of one subject are found by %s',
  async (subject) => {
    const { rows, page } = await at.host.call('get_detections', { subject });
    expect(page['matched']).toBe(60);
    expect(new Set(rows.map((row) => row['subject']))).toEqual(new Set(['Globex']));
  },
);

test('a subject that nobody is called is refused with the names that there are', async () => {
  const { isError, text } = await at.host.call('get_detections', { subject: 'Globx' });
  expect(isError).toBe(true);
  expect(text).toContain('No subject is called "Globx"; there are "Acme", "Globex", "Initech".');
});

test('names are read once, and rows have only ids if they cannot be read', async () => {
  await at.host.call('get_detections');
  await at.host.call('get_detections', { engine: 'chatgpt' });
  expect(at.fake.seen.filter(({ url }) => url.endsWith('/subjects'))).toHaveLength(1);
  const other = await connectHost({ url: at.fake.url });
  at.fake.behave((request, response) => {
    if (request.url?.endsWith('/subjects') === true) sendProblem(response, 'not_found');
    else response.end(JSON.stringify({ detections: at.fake.data.detections }));
  });
  const { rows, isError } = await other.call('get_detections');
  expect(isError).toBe(false);
  expect(rows[0]?.['subject']).toBeNull();
  expect(rows[0]?.['subject_id']).toBe(idOf('b', 0));
  await other.close();
});
