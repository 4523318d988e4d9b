import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { readMessageTime } from '../../../messages/message-times.ts';
import { listRecipients } from '../../../messages/recipients.ts';

const url = 'https://hooks.example.com/services/T0/B0/secret123';
const secretForm = /whsec_[\w+/]{43}=/;

eachStore('the page of messages', (open) => {
  test('a webhook is added once, its secret is shown once, and its address never whole', async () => {
    const { admin, path, store, workspaceId } = await aPlace(open);
    const form = hiddenField(await admin.get(path), 'form');
    const added = await admin.post(path, { form, address: url });
    expect(added.statusCode).toBe(200);
    expect(added.headers['cache-control']).toBe('no-store');
    expect(added.body).toMatch(secretForm);
    expect((await admin.post(path, { form, address: url })).statusCode).toBe(303);
    const later = await admin.get(path);
    expect(later.body).toContain('hooks.example.com/...t123');
    expect(later.body).not.toMatch(secretForm);
    expect(later.body + added.body).not.toContain('/services/');
    expect(await listRecipients(store.access, workspaceId)).toHaveLength(1);
    const history = await admin.get(path.replace('messages', 'history'));
    expect(history.body).toContain('added a recipient of messages:');
    expect(history.body).not.toContain('/services/');
  });

  test('only an operator adds a recipient that is told of backups and caps', async () => {
    const { admin, operator, path, store, workspaceId } = await aPlace(open);
    for (const [index, person] of [admin, operator].entries()) {
      const page = await person.get(path);
      expect(page.body.includes('name="operator"')).toBe(person === operator);
      const form = hiddenField(page, 'form');
      await person.post(path, { form, address: `${url}${index}`, operator: 'on' });
    }
    const recipients = await listRecipients(store.access, workspaceId);
    const again = { form: hiddenField(await operator.get(path), 'form'), address: `${url}0` };
    expect((await operator.post(path, again)).statusCode).toBe(400);
    const told = recipients.filter((each) => each.for_operator);
    expect(told.map(({ address }) => address)).toEqual([`${url}1`]);
    expect(recipients).toHaveLength(2);
    await operator.post(path, { ...again, operator: 'on' });
    const both = await listRecipients(store.access, workspaceId);
    expect(both.map((each) => each.for_operator)).toEqual([true, true]);
    expect(new Set(both.map((each) => each.created_by)).size).toBe(1);
  });

  test('an address that is none and a time that is none are refused, and what was typed is kept', async () => {
    const { admin, path, store, workspaceId } = await aPlace(open);
    const form = hiddenField(await admin.get(path), 'form');
    const refused = await admin.post(path, { form, address: 'ftp://example.com' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('value="ftp://example.com"');
    const mail = await admin.post(path, { form, address: 'reader@example.com' });
    expect(mail.statusCode).toBe(400);
    expect(mail.body).toContain('the operator of the server sets OVERHEARD_SMTP');
    const time = { weekday: '8', hour: '24', zone: 'Europe/Nowhere', quiet_from: '22' };
    const wrong = await admin.post(`${path}/time`, time);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('Enter a time zone such as Europe/Berlin.');
    expect(wrong.body).toContain('Choose two different hours, or never for both.');
    expect(await listRecipients(store.access, workspaceId)).toEqual([]);
    const quiet = { quiet_from: '22', quiet_to: '7' };
    const right = { weekday: '5', hour: '17', zone: 'Europe/Berlin', ...quiet };
    expect((await admin.post(`${path}/time`, right)).statusCode).toBe(303);
    expect(await readMessageTime(store.access, workspaceId, nowMs)).toMatchObject({
      weekday: 5,
      hour: 17,
      zone: 'Europe/Berlin',
      quiet_from: 22,
      quiet_to: 7,
    });
    expect((await admin.get(path)).body).toContain('Each Friday at 17:00 (Europe/Berlin)');
  });

  test('a test message waits to be sent, and a removed webhook gets nothing', async () => {
    const { admin, path, store, workspaceId } = await aPlace(open);
    await admin.post(path, { form: hiddenField(await admin.get(path), 'form'), address: url });
    const [webhook] = await listRecipients(store.access, workspaceId);
    const id = webhook?.id ?? '';
    expect((await admin.post(`${path}/test`, { recipient: id })).statusCode).toBe(303);
    expect((await admin.get(path)).body).toContain('test, waits to be sent');
    expect((await admin.post(`${path}/remove`, { recipient: id })).statusCode).toBe(303);
    const due = await store.access.selectFrom('deliveries').selectAll().execute();
    expect(due).toEqual([]);
    expect((await admin.post(`${path}/remove`, { recipient: id })).statusCode).toBe(404);
  });

  test("a viewer sees no form, and another workspace's webhook is not found", async () => {
    const { admin, viewer, foreign, path, store, workspaceId } = await aPlace(open);
    await admin.post(path, { form: hiddenField(await admin.get(path), 'form'), address: url });
    const [webhook] = await listRecipients(store.access, workspaceId);
    const fields = { recipient: webhook?.id ?? '' };
    expect((await viewer.get(path)).body).not.toContain(`action="${path}`);
    expect((await viewer.post(`${path}/remove`, fields)).statusCode).toBe(403);
    expect((await foreign.visitor.get(path)).statusCode).toBe(404);
    expect((await foreign.visitor.post(`${foreign.path}/test`, fields)).statusCode).toBe(404);
    expect((await foreign.visitor.post(`${foreign.path}/remove`, fields)).statusCode).toBe(404);
    expect(await listRecipients(store.access, workspaceId)).toHaveLength(1);
  });
});

/** A workspace with its people, and an admin of another one. */
async function aPlace(open: Open) {
  const clock = () => nowMs;
  const { store } = await open({ clock });
  const { workspaceId, slug } = await newTenant(store);
  const other = await newTenant(store);
  const web = await startWeb(store, { clock });
  const visitor = async (role: 'admin' | 'viewer', of = workspaceId) =>
    new Visitor(web, await newPerson(store, { workspaceId: of, role, clock }));
  const pathOf = (place: string) => `/w/${place}/settings/messages`;
  return {
    store,
    workspaceId,
    path: pathOf(slug),
    admin: await visitor('admin'),
    viewer: await visitor('viewer'),
    operator: new Visitor(web, await newPerson(store, { isOperator: true, clock })),
    foreign: { visitor: await visitor('admin', other.workspaceId), path: pathOf(other.slug) },
  };
}
