import { firstOf, jsonFormat } from './json-format.ts';

/**
 * Cloudflare Logpush, dataset `http_requests`, as NDJSON. The address is the visitor's.
 * https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests/
 */
export const cloudflare = jsonFormat({
  name: 'cloudflare',
  isMine: (line) => 'ClientRequestUserAgent' in line || 'EdgeStartTimestamp' in line,
  read: (line) => ({
    time: firstOf(line, ['EdgeStartTimestamp', 'EdgeEndTimestamp']),
    userAgent: line['ClientRequestUserAgent'],
    method: line['ClientRequestMethod'],
    target: firstOf(line, ['ClientRequestURI', 'ClientRequestPath']),
    host: line['ClientRequestHost'],
    address: line['ClientIP'],
    status: firstOf(line, ['EdgeResponseStatus', 'OriginResponseStatus']),
  }),
});
