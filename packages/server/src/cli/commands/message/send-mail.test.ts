import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { newTenant } from '../../../../test/servers/api.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { toMessage } from '../../../messages/message.ts';
import { addRecipient, listRecipients } from '../../../messages/recipients.ts';
import { createMailer, parseMailServer } from './send-mail.ts';

/** A Monday. */
const dueMs = Date.parse('2026-11-23T08:00:00Z');
const minuteMs = 60_000;
const to = 'reader@example.com';

eachStore('messages by mail', (open, dialect) => {
  test('a weekly message arrives by mail as text and HTML, with its id in headers and at its end', async () => {
    const { mail, send, store } = await aPlace(open);
    expect(await send()).toEqual({ written: 1, sent: 1, failed: 0 });
    const { id } = await store.access.selectFrom('messages').select('id').executeTakeFirstOrThrow();
    const [{ from, recipients, content } = nothing, ...others] = mail.seen;
    expect(others).toEqual([]);
    expect({ from, recipients }).toEqual({ from: 'overheard@example.org', recipients: [to] });
    expect(content).toContain(`Message-ID: <${id}@example.org>`);
    expect(content).toContain(`X-Overheard-Message: ${id}`);
    expect(content).toContain('Auto-Submitted: auto-generated');
    expect(content).toContain('Subject: No answers in these 4 weeks.');
    expect(content).toMatch(/Content-Type: text\/plain[^]*Content-Type: text\/html[^]*<html lang/);
    const unfolded = content.replaceAll('=\r\n', '');
    expect(unfolded.split(`Message ${id} from Overheard`)).toHaveLength(3);
    expect(unfolded).toMatch(/Who gets these messages: http:\S+\/w\/\S+\/settings\/messages\r\n/);
  });

  test('a mail whose acknowledgement is lost comes again under the same id', async () => {
    const { mail, send, clock } = await aPlace(open);
    mail.afterData = 'hang up';
    expect(await send()).toEqual({ written: 1, sent: 0, failed: 1 });
    mail.afterData = '250 OK';
    clock.ms += minuteMs;
    expect(await send()).toEqual({ written: 0, sent: 1, failed: 0 });
    const ids = mail.seen.map(({ content }) => /^Message-ID: .*$/m.exec(content)?.[0]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('a mail that the server defers is tried again, and one that it refuses is not', async () => {
    const { mail, send, clock, lastFault } = await aPlace(open);
    mail.afterData = '451 Try again';
    await send();
    expect(await lastFault()).toMatchObject({ fault: 'SMTP 451', next_at: expect.any(String) });
    // A refusal of the sender, or for the day, is not about this mail.
    for (const [place, response] of [
      ['MAIL', '550 5.7.1 Not your address'],
      ['RCPT', '550 5.4.5 Daily limit'],
      ['RCPT', '554 5.7.1 Relay access denied'],
      ['greeting', '554 Blocked'],
    ] as const) {
      mail.refuses = { place, response };
      clock.ms += 3 * 60 * minuteMs;
      await send();
      expect(await lastFault()).toMatchObject({ next_at: expect.any(String) });
    }
    mail.refuses = { place: 'RCPT', response: '550 5.1.1 No such user' };
    clock.ms += 3 * 60 * minuteMs;
    await send();
    expect(await lastFault()).toMatchObject({ fault: 'refused: SMTP 550', next_at: null });
  });

  // Only an embedded database is backed up by its server.
  test.skipIf(dialect === 'postgres')(
    'a folder of backups without one is told to the operator',
    async () => {
      const { store, send, clock, mail } = await aPlace(open);
      await store.access.updateTable('recipients').set({ for_operator: true }).execute();
      clock.ms += 60 * minuteMs;
      await send({ OVERHEARD_SMTP: mail.address }, '--backups', '/nowhere/backups');
      const backup = mail.seen.find(({ content }) => content.includes('There is no backup in'));
      expect(backup?.recipients).toEqual([to]);
    },
  );

  test('without a mail server a mail waits, and serve refuses a wrong address without its password', async () => {
    const { send, lastFault, url, clock } = await aPlace(open);
    await send({ OVERHEARD_SMTP: '' });
    expect(await lastFault()).toMatchObject({ fault: 'mail is not set up' });
    for (const wrong of [
      'smtps://user:secret@a.example.com',
      'smtp://u:secret%@a.co?from=a@b.co',
    ]) {
      const environment = { OVERHEARD_SMTP: wrong };
      const args = ['serve', '--database', url, '--port', '0'];
      const { code, stderr } = await runCommand(args, { environment });
      expect(code).toBe(1);
      expect(stderr).toContain('OVERHEARD_SMTP');
      expect(stderr).not.toContain('secret');
      clock.ms += 3 * 60 * minuteMs;
      expect(await send(environment)).toEqual({ written: 0, sent: 0, failed: 1 });
      expect(await lastFault()).toMatchObject({ fault: 'OVERHEARD_SMTP is malformed' });
    }
  });
});

test('words of strangers add no header and no recipient, and the sender gets no mail', async () => {
  const mail = await startMailServer();
  const sendMail = mailerTo(mail.address);
  const text = 'Acme\r\nBcc: other@example.com\u2028<script>alert(1)</script>';
  const message = toMessage({ type: 'alert', nowMs: dueMs, lines: [text], data: {} });
  expect(await sendMail({ to, id: idOf(1), message, signal })).toBeUndefined();
  const [{ recipients, content } = nothing] = mail.seen;
  expect(recipients).toEqual([to]);
  const [headers = ''] = content.split('\r\n\r\n');
  expect(headers).toContain('Subject: Acme\r\n');
  expect(headers).not.toContain('Bcc');
  expect(content).not.toContain('<script');
  const self = await sendMail({ to: 'Overheard@example.org', id: idOf(1), message, signal });
  expect(self).toEqual({ words: 'refused: it is the sender', isFinal: true });
  expect(mail.seen).toHaveLength(1);
});

test('a mail server that sends a byte now and then delays nobody for longer than a claim holds', async () => {
  const server = createServer((socket) => {
    const drip = setInterval(() => socket.write('220-mail.example.org\r\n'), 20);
    socket.on('error', () => {}).on('close', () => clearInterval(drip));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const message = toMessage({ type: 'alert', nowMs: dueMs, lines: ['Acme'], data: {} });
  const mail = { to, id: idOf(1), message };
  const dripping = `smtp://127.0.0.1:${port}?from=overheard@example.org`;
  const late = await mailerTo(dripping, 100)({ ...mail, signal });
  expect(late).toEqual({ words: 'no response', isFinal: false });
  const stopped = AbortSignal.timeout(100);
  expect(await mailerTo(dripping)({ ...mail, signal: stopped })).toMatchObject({ isFinal: false });
});

function mailerTo(address: string, mailMs?: number) {
  const server = parseMailServer(address);
  if (server === undefined) throw new Error(address);
  const publicUrl = 'http://overheard.example';
  return createMailer(server, { publicUrl, ...(mailMs !== undefined && { mailMs }) });
}

const { signal } = new AbortController();

const nothing = { from: '', recipients: [''], content: '' };

/** A mail server that speaks SMTP (RFC 5321) and keeps what it got. */
async function startMailServer() {
  const mail = {
    address: '',
    afterData: '250 OK',
    refuses: { place: '', response: '' },
    seen: new Array<typeof nothing>(),
  };
  const server = createServer((socket) => {
    const respond = (line: string) => socket.write(`${line}\r\n`);
    let envelope = { from: '', recipients: new Array<string>() };
    let data: string[] | undefined;
    const { place, response } = mail.refuses;
    respond(place === 'greeting' ? response : '220 mail.example.org ESMTP');
    createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
      if (data !== undefined && line !== '.') {
        data.push(line.replace(/^\./, ''));
        return;
      }
      if (data !== undefined) {
        mail.seen.push({ ...envelope, content: data.join('\r\n') });
        data = undefined;
        if (mail.afterData === 'hang up') socket.destroy();
        else respond(mail.afterData);
        return;
      }
      const [, argument = ''] = /<(.*)>/.exec(line) ?? [];
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') envelope = { from: argument, recipients: [] };
      if (verb === 'RCPT') envelope.recipients.push(argument);
      if (verb === 'DATA') data = [];
      if (verb === place) respond(response);
      else respond(verb === 'DATA' ? '354 Go ahead' : verb === 'QUIT' ? '221 Bye' : '250 OK');
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  mail.address = `smtp://127.0.0.1:${port}?from=overheard@example.org`;
  return mail;
}

/** A workspace whose weekly message is due, and goes to a mail address. */
async function aPlace(open: Open) {
  const clock = { ms: dueMs - 1 };
  const { store, url } = await open({ clock: () => clock.ms });
  const { workspaceId } = await newTenant(store);
  const recipient = {
    id: idOf(1),
    workspace_id: workspaceId,
    address: `mailto:${to}`,
    created_by: null,
  };
  await addRecipient(store.access, recipient, { clock: () => clock.ms });
  clock.ms += minuteMs;
  const mail = await startMailServer();
  const send = async (
    environment: Record<string, string> = { OVERHEARD_SMTP: mail.address },
    ...more: string[]
  ) => {
    const args = ['message', 'send', '--json', '--database', url, ...more];
    const { stdout } = await runCommand(args, { clock: () => clock.ms, environment });
    return JSON.parse(stdout);
  };
  const lastFault = async () => (await listRecipients(store.access, workspaceId))[0]?.last;
  return { store, url, mail, send, clock, lastFault };
}
