/**
 * Sends the requests of an Express (or Connect, or `node:http`) server to a receiver of Overheard:
 * `app.use(sendRequests(process.env.OVERHEARD_RECEIVER))`. Behind a proxy of your own set Express's
 * `trust proxy`, so that `request.ip` is the client's address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Request = IncomingMessage & { readonly ip?: string; readonly originalUrl?: string };

export function sendRequests(
  receiver: string,
  { waitMs = 1000, linesMax = 10_000, bytesMax = 1_000_000 } = {},
) {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  return function middleware(request: Request, response: ServerResponse, next: () => void): void {
    const { ip, socket, method, originalUrl, url, headers } = request;
    response.on('finish', () => {
      const line = {
        timestamp: new Date().toISOString(),
        client_ip: ip ?? socket.remoteAddress,
        method,
        host: headers.host,
        url: originalUrl ?? url,
        status: response.statusCode,
        user_agent: headers['user-agent'],
        referer: headers.referer,
      };
      if (lines.length < linesMax) lines.push(JSON.stringify(line));
      timer ??= sendLater();
    });
    next();
  };

  async function send(): Promise<void> {
    const sent: string[] = [];
    for (let bytes = 0; lines.length > 0 && bytes < bytesMax;) {
      const line = lines.shift() ?? '';
      bytes += Buffer.byteLength(line);
      sent.push(line);
    }
    const body = sent.join('\n');
    const { ok, status } = await fetch(receiver, { method: 'POST', body }).catch(Response.error);
    // A refusal would come again. Lines that were stored and are sent again give the same hits.
    const isOver = ok || (status >= 400 && status < 500 && status !== 408 && status !== 429);
    if (!isOver) lines = [...sent, ...lines].slice(0, linesMax);
    timer = isOver && lines.length === 0 ? undefined : sendLater();
  }

  /** The last lines of a server that ends are not waited for. */
  function sendLater(): NodeJS.Timeout {
    return setTimeout(() => void send(), waitMs).unref();
  }
}
