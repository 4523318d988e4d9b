import { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { toFault } from '../../../messages/deliver.ts';
import type { SendMail } from '../../../messages/deliver.ts';
import type { Message } from '../../../messages/message.ts';
import { parseRecipient, mailOf } from '../../../messages/recipients.ts';
import { html } from '../../../web/markup/html.ts';

const timeoutMs = 15_000;
/** Shorter than a claim holds, so that nobody else sends the same mail meanwhile. */
const mailMs = 45_000;
const subjectLettersMax = 150;
/**
 * Refusals of this mail's recipient or content, by their enhanced codes (RFC 3463). Others are of the sender,
 * its rights or a limit, which an operator can put right: many servers say so at RCPT TO or after DATA.
 */
const ofThisMail = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.[12]|3\.4|6\.\d)\b/;

/** The error of a mail server, as nodemailer throws it. */
const smtpErrorSchema = z.object({
  responseCode: z.number().optional().catch(undefined),
  response: z.string().catch(''),
});

/** A mail server, and the sender of its mails. */
type MailServer = NonNullable<ReturnType<typeof parseMailServer>>;

/**
 * Reads the address of a mail server with a sender:
 * `smtps://USER:PASSWORD@mail.example.com?from=overheard@example.com`. Undefined for any other text.
 */
export function parseMailServer(text: string) {
  const url = URL.parse(text);
  const from = mailOf(parseRecipient(url?.searchParams.get('from') ?? '') ?? '');
  const isMailServer = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (url === null || !isMailServer || url.hostname === '' || from === undefined) return undefined;
  const [user, pass] = [url.username, url.password].map(decoded);
  if (user === undefined || pass === undefined) return undefined;
  return {
    // A socket takes an address of IPv6 without brackets.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    secure: url.protocol === 'smtps:',
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(user !== '' && { auth: { user, pass } }),
    from,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Sends messages through a mail server. A mail says where its recipients are changed. */
export function createMailer(
  { from, ...server }: MailServer,
  { publicUrl, mailMs: withinMs = mailMs }: { publicUrl: string; mailMs?: number },
): SendMail {
  return async function sendMail({ to, id, message, signal }) {
    // Its bounces and automatic replies would come back to it.
    if (to.toLowerCase() === from.toLowerCase())
      return { words: 'refused: it is the sender', isFinal: true };
    const socket = new Socket();
    const transport = createTransport({
      ...server,
      socket,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // A server may go on for ever by sending a byte now and then.
    const end = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const destroy = () => socket.destroy();
    end.addEventListener('abort', destroy);
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        ...composeMail(id, message, { publicUrl }),
        messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
        headers: { 'X-Overheard-Message': id, 'Auto-Submitted': 'auto-generated' },
      });
      return undefined;
    } catch (error) {
      const { responseCode: code, response } = smtpErrorSchema.parse(error);
      if (code === undefined) return toFault(end.aborted ? 'no response' : 'no connection');
      const isFinal = ofThisMail.test(response);
      return { words: isFinal ? `refused: SMTP ${code}` : `SMTP ${code}`, isFinal };
    } finally {
      end.removeEventListener('abort', destroy);
      destroy();
    }
  };
}

/**
 * The subject, the text and the HTML of a mail. Both name the message, so that a second copy is
 * recognisable, and the page on which recipients are removed.
 */
export function composeMail(
  id: string,
  { text, data }: Message,
  { publicUrl }: { publicUrl: string },
) {
  const lines = text.split(/[\r\n]+/);
  const subject = lines[0]?.slice(0, subjectLettersMax) ?? '';
  const content = lines.map((line) => {
    const [, words = line, address] = /^(.*?)(https?:\/\/\S+)$/.exec(line) ?? [];
    return html`<p>${words}${address !== undefined && html`<a href="${address}">${address}</a>`}</p>\n`;
  });
  const settings = `${publicUrl}/w/${String(data['workspace'])}/settings/messages`;
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><title>${subject}</title></head>
<body>
${content}<p><small>Message ${id} from Overheard. Who gets these messages: <a href="${settings}">${settings}</a></small></p>
</body>
</html>
`;
  const end = `Message ${id} from Overheard\nWho gets these messages: ${settings}\n`;
  return { subject, text: `${text}\n\n-- \n${end}`, html: page.text };
}
