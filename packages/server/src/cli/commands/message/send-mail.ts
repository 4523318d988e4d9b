import { createTransport } from 'nodemailer';
import type { SendMail } from '../../../messages/deliver.ts';
import type { Message } from '../../../messages/message.ts';
import { parseRecipient, mailOf } from '../../../messages/recipients.ts';
import { Refusal } from '../../../refusals.ts';
import { html } from '../../../web/markup/html.ts';

const timeoutMs = 15_000;
const subjectLettersMax = 150;

/**
 * Sends messages through a mail server, whose address has the sender:
 * `smtps://USER:PASSWORD@mail.example.com?from=overheard@example.com`. Throws a `Refusal` for any
 * other text, without repeating it, because it has a password.
 */
export function createMailer(server: string): SendMail {
  const url = URL.parse(server);
  const from = mailOf(parseRecipient(url?.searchParams.get('from') ?? '') ?? '');
  const isMailServer = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (url === null || !isMailServer || url.hostname === '' || from === undefined) {
    throw new Refusal('smtp_invalid', {});
  }
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  const transport = createTransport({
    host: url.hostname,
    secure: url.protocol === 'smtps:',
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(user !== undefined && user !== '' && { auth: { user, pass: pass ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async function sendMail({ to, id, message }) {
    // Its bounces and automatic replies would come back to it.
    if (to.toLowerCase() === from.toLowerCase()) return 'refused: it is the sender';
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        ...composeMail(id, message),
        messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
        headers: { 'X-Overheard-Message': id, 'Auto-Submitted': 'auto-generated' },
      });
      return undefined;
    } catch (error) {
      const code =
        error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
      if (typeof code !== 'number') return 'no connection';
      return code >= 500 ? `refused: SMTP ${code}` : `SMTP ${code}`;
    }
  };
}

/** The subject, the text and the HTML of a mail. Both name the message, so that a second copy is recognisable. */
export function composeMail(id: string, { text }: Message) {
  const lines = text.split(/[\r\n]+/);
  const subject = lines[0]?.slice(0, subjectLettersMax) ?? '';
  const content = lines.map((line) => {
    const [, words = line, address] = /^(.*?)(https?:\/\/\S+)$/.exec(line) ?? [];
    return html`<p>${words}${address !== undefined && html`<a href="${address}">${address}</a>`}</p>\n`;
  });
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><title>${subject}</title></head>
<body>
${content}<p><small>Message ${id} from Overheard</small></p>
</body>
</html>
`;
  return { subject, text: `${text}\n\n-- \nMessage ${id} from Overheard\n`, html: page.text };
}
