import { firstOf, jsonFormat } from './json-format.ts';

/**
 * Netlify's traffic log drain as NDJSON.
 * https://docs.netlify.com/manage/monitoring/log-drains/
 */
export const netlify = jsonFormat({
  name: 'netlify',
  isMine: (line) => 'user_agent' in line && 'client_ip' in line && 'url' in line,
  read: (line) => ({
    time: line['timestamp'],
    userAgent: line['user_agent'],
    method: line['method'],
    target: line['url'],
    host: line['domain'],
    address: line['client_ip'],
    status: firstOf(line, ['status_code', 'status']),
  }),
});
