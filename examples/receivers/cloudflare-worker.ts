/**
 * Sends the requests of a site behind Cloudflare to a receiver of Overheard, on any plan: deploy this
 * as a Worker on the routes of the site, with the address as its secret `OVERHEARD_RECEIVER`.
 */
interface Context {
  waitUntil(promise: Promise<unknown>): void;
}

const worker = {
  async fetch(
    request: Request,
    { OVERHEARD_RECEIVER: receiver }: { readonly OVERHEARD_RECEIVER: string },
    context: Context,
  ): Promise<Response> {
    const response = await fetch(request);
    const { method, url, headers } = request;
    const line = {
      timestamp: new Date().toISOString(),
      client_ip: headers.get('cf-connecting-ip'),
      method,
      url,
      status: response.status,
      user_agent: headers.get('user-agent'),
      referer: headers.get('referer'),
    };
    context.waitUntil(fetch(receiver, { method: 'POST', body: JSON.stringify(line) }));
    return response;
  },
};

export { worker as default };
