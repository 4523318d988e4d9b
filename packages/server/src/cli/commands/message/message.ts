import { settings } from '../../../config.ts';
import { sendMessages } from '../../../messages/send-messages.ts';
import type { SendCounts } from '../../../messages/send-messages.ts';
import { writeTest } from '../../../messages/insert-message.ts';
import { toFault } from '../../../messages/deliver.ts';
import type { SendMail, WebhookFetch } from '../../../messages/deliver.ts';
import { writeWeeklyMessage } from '../../../messages/weekly-message.ts';
import { listRecipients, shownAddress } from '../../../messages/recipients.ts';
import type { ListedRecipient } from '../../../messages/recipients.ts';
import { Refusal } from '../../../refusals.ts';
import type { Store } from '../../../storage/store.ts';
import { plural } from '../../../values/plural.ts';
import {
  defineGroup,
  defineStoreCommand,
  defineWorkspaceCommand,
} from '../../define/define-command.ts';
import { flag, serverAddress } from '../../define/options.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { runOptions } from '../../filters/parameter.ts';
import { readMessageTime } from '../../../messages/message-times.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { backupFault } from '../backup/kept-backups.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Io } from '../../terminal/io.ts';

const { backups, database, privateWebhooks, smtp } = settings;
const options = { publicUrl: serverAddress, privateWebhooks, smtp };

/** The id of a message that is not stored. */
const noId = '00000000-0000-0000-0000-000000000000';

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the recipients, and whether the last message arrived',
  description:
    'Lists the webhooks and mail addresses of a workspace. Of a webhook it shows only the host and the end, because the path of many is a secret.',
  json: '{"recipients":[{id, address, for_operator, created_at, last:{kind, attempts, next_at, sent_at, fault}}]}',
  examples: ['overheard message list --workspace acme'],
  run: async ({ store, workspaceId, slug }) => {
    const listed = await listRecipients(store.access, workspaceId);
    const recipients = listed.map(({ id, address, for_operator, created_at, last }) => ({
      id,
      address: shownAddress(address),
      for_operator,
      created_at,
      last: last === undefined ? null : lastOf(last),
    }));
    return {
      json: { recipients },
      table: tableOf(recipients, `No recipient yet: add one on the page Messages of ${slug}.`, {
        ID: ({ id }) => id,
        ADDRESS: ({ address }) => address,
        ADDED: (each) => each.created_at,
        'LAST MESSAGE': ({ last }) => last?.kind ?? null,
        ARRIVED: ({ last }) => last?.sent_at ?? null,
        FAULT: ({ last }) => last?.fault ?? null,
        'NEXT TRY': ({ last }) => last?.next_at ?? null,
      }),
    };
  },
});

const showCommand = defineWorkspaceCommand({
  name: 'show',
  summary: 'print what the weekly message would say now',
  description: 'Writes the weekly message of a workspace as if it were due now, and sends nothing.',
  options: {
    publicUrl: serverAddress,
    html: flag('print the HTML that a mail would have'),
    tag: {
      ...runOptions.tag,
      summary: 'changes of prompts with this tag, instead of the tag that the page Messages sets',
    },
  },
  json: '{type, timestamp, text, data}',
  examples: [
    'overheard message show --workspace acme',
    'overheard message show --workspace acme --tag Agencies',
  ],
  run: async (context, { publicUrl, html, tag: typed }) => {
    const atMs = context.io.clock();
    const { tag: chosen } = await namedFilters(context, { tag: typed });
    const set = await readMessageTime(context.store.access, context.workspaceId, atMs);
    const message = await inSnapshot(context, (source) =>
      writeWeeklyMessage(context.store, source, { atMs, publicUrl, tag: chosen ?? set.tag }),
    );
    if (!html) return { json: message, text: message.text };
    const { composeMail } = await import('./send-mail.ts');
    return { json: message, text: composeMail(noId, message, { publicUrl }).html.trimEnd() };
  },
});

const testCommand = defineWorkspaceCommand({
  name: 'test',
  summary: 'send a test message to every recipient of a workspace',
  description:
    'Sends a message of the kind `test` to every recipient, and waits for the responses.',
  options,
  json: '{written, sent, failed}',
  examples: ['overheard message test --workspace acme'],
  run: async ({ io, store, workspaceId, slug }, values) => {
    const recipients = await listRecipients(store.access, workspaceId);
    if (recipients.length === 0) throw new Refusal('no_recipient', { workspace: slug });
    const to = { recipients: recipients.map(({ id }) => id), clock: io.clock };
    await writeTest(store, { workspace: { id: workspaceId, slug }, ...to });
    return output(await send(store, io, { ...values, only: workspaceId }));
  },
});

const sendCommand = defineStoreCommand({
  name: 'send',
  summary: 'write the messages that are due, and send what waits',
  description:
    'Does once what `overheard serve` does every minute, for a schedule of your own. Any number of them may run at once: each message arrives at least once, always under the same id.',
  options: { ...options, backups, database },
  json: '{written, sent, failed}',
  examples: [
    'overheard message send --public-url https://overheard.example.com',
    'overheard message send --private-webhooks allow',
  ],
  run: async ({ io, store }, { backups: folder, database: url, ...values }) => {
    const fault = await backupFault({ folder, database: url, nowMs: io.clock() });
    return output(await send(store, io, { ...values, fault }));
  },
});

export const messageCommand = defineGroup({
  name: 'message',
  summary: 'messages to webhooks and mail: show, list, test, send',
  description:
    'Each week a message says what changed for sure, on which engines and prompts, and which bots the site refuses. Recipients are added on the page Messages. Webhooks are signed as Standard Webhooks describes.',
  commands: [showCommand, listCommand, testCommand, sendCommand],
});

async function send(
  store: Store,
  { clock, signal }: Io,
  {
    publicUrl,
    privateWebhooks: rule,
    smtp: server,
    only,
    fault,
  }: {
    publicUrl: string;
    privateWebhooks: string;
    smtp: string | undefined;
    only?: string;
    fault?: string | undefined;
  },
): Promise<SendCounts> {
  const { createEngineFetch } = await import('../../../collect/ask/engine-fetch.ts');
  // After an upgrade a message may be written before the server starts again.
  const { fillCounts } = await import('../../../answers/counts/fill-counts.ts');
  await fillCounts(store);
  const engineFetch = createEngineFetch({ mayReachPrivate: rule === 'allow' });
  const fetch: WebhookFetch = (url, init) => engineFetch(url, init);
  const sendMail = server === undefined ? undefined : await mailerOf(server, publicUrl);
  const writing = { publicUrl, clock, backupFault: fault };
  return sendMessages(store, { ...writing, fetch, sendMail, signal, only });
}

/** A wrong address of a mail server fails mails alone. `serve` refuses it. */
async function mailerOf(server: string, publicUrl: string): Promise<SendMail> {
  const { createMailer, parseMailServer } = await import('./send-mail.ts');
  const parsed = parseMailServer(server);
  if (parsed !== undefined) return createMailer(parsed, { publicUrl });
  return () => Promise.resolve(toFault('OVERHEARD_SMTP is malformed'));
}

function output(counts: SendCounts) {
  const { written, sent, failed } = counts;
  const tried = sent + failed;
  return {
    json: counts,
    words: [
      written > 0 && `Wrote ${plural(written, 'message')}.`,
      tried === 0
        ? 'No message was due.'
        : `${sent === 0 ? 'No message' : plural(sent, 'message')} arrived.`,
      failed > 0 &&
        `${plural(failed, 'attempt')} failed: overheard message list says why, and when the next one is.`,
    ],
  };
}

function lastOf({ kind, attempts, next_at, sent_at, fault }: NonNullable<ListedRecipient['last']>) {
  return { kind, attempts, next_at, sent_at, fault };
}
