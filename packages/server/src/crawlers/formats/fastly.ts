import { firstOf, jsonFormat } from './json-format.ts';

/** Fastly's HTTPS log endpoint with the JSON fields that log collectors ask for, one object a line. */
export const fastly = jsonFormat({
  name: 'fastly',
  isMine: (line) => 'request_user_agent' in line && 'timestamp' in line,
  read: (line) => ({
    time: line['timestamp'],
    userAgent: line['request_user_agent'],
    method: line['request_method'],
    target: firstOf(line, ['url', 'request_url']),
    host: firstOf(line, ['host', 'request_host']),
    address: line['client_ip'],
    status: line['response_status'],
  }),
});
