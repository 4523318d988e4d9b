/**
 * Sends the requests of a Next.js site to a receiver of Overheard: save this as `proxy.ts` (before
 * Next.js 16 as `middleware.ts`, with the function called `middleware`). The address of the client
 * counts only if your platform sets the header itself, as Vercel does with `x-real-ip`.
 */
interface Event {
  waitUntil(promise: Promise<unknown>): void;
}

export function proxy(request: Request, event: Event): void {
  const { method, url, headers } = request;
  const line = {
    timestamp: new Date().toISOString(),
    client_ip: headers.get('x-real-ip'),
    method,
    url,
    user_agent: headers.get('user-agent'),
    referer: headers.get('referer'),
  };
  const receiver = process.env['OVERHEARD_RECEIVER'] ?? '';
  event.waitUntil(fetch(receiver, { method: 'POST', body: JSON.stringify(line) }));
}
