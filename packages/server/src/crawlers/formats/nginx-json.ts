import { firstOf, jsonFormat } from './json-format.ts';

/**
 * nginx with a JSON `log_format` whose keys are nginx's own variables, `escape=json` or not.
 * https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
 */
export const nginxJson = jsonFormat({
  name: 'nginx-json',
  isMine: (line) =>
    'http_user_agent' in line &&
    ('remote_addr' in line || 'request' in line || 'request_uri' in line),
  read: (line) => ({
    time: firstOf(line, ['time_iso8601', 'msec', 'time_local', '@timestamp', 'timestamp', 'time']),
    userAgent: line['http_user_agent'],
    request: line['request'],
    method: firstOf(line, ['request_method', 'method']),
    target: firstOf(line, ['request_uri', 'uri']),
    query: firstOf(line, ['args', 'query_string']),
    host: firstOf(line, ['http_host', 'host', 'server_name']),
    address: firstOf(line, ['remote_addr', 'realip_remote_addr']),
    forwardedFor: firstOf(line, ['http_x_forwarded_for', 'proxy_add_x_forwarded_for']),
    forwarded: line['http_forwarded'],
    cfConnectingIp: line['http_cf_connecting_ip'],
    trueClientIp: line['http_true_client_ip'],
    status: line['status'],
    signatureAgent: line['http_signature_agent'],
    signatureInput: line['http_signature_input'],
    signature: line['http_signature'],
    scheme: line['scheme'],
  }),
});
