import { jsonFormat, objectOf } from './json-format.ts';
import type { JsonObject } from './json-format.ts';

/**
 * Caddy 2's JSON access log. `client_ip` is the client behind trusted proxies, `remote_ip` the peer.
 * https://caddyserver.com/docs/logging
 */
export const caddy = jsonFormat({
  name: 'caddy',
  isMine: (line) => {
    const request = objectOf(line['request']);
    return request !== undefined && 'uri' in request && 'ts' in line;
  },
  read: (line) => {
    const request = objectOf(line['request']) ?? {};
    const headers = objectOf(request['headers']) ?? {};
    return {
      time: line['ts'],
      userAgent: header(headers, 'User-Agent'),
      method: request['method'],
      target: request['uri'],
      host: request['host'],
      address: request['client_ip'] ?? request['remote_ip'] ?? request['remote_addr'],
      forwardedFor: header(headers, 'X-Forwarded-For'),
      forwarded: header(headers, 'Forwarded'),
      cfConnectingIp: header(headers, 'Cf-Connecting-Ip'),
      trueClientIp: header(headers, 'True-Client-Ip'),
      status: line['status'],
      signatureAgent: header(headers, 'Signature-Agent'),
      signatureInput: header(headers, 'Signature-Input'),
      signature: header(headers, 'Signature'),
      scheme: 'tls' in request ? 'https' : 'http',
    };
  },
});

/** Lines of one header are one value, joined as RFC 9110, 5.3 says. */
function header(headers: JsonObject, name: string): string | undefined {
  const values = headers[name];
  return Array.isArray(values) && values.length > 0 ? values.map(String).join(', ') : undefined;
}
