import { firstOf, jsonFormat } from './json-format.ts';

/**
 * Traefik's JSON access log; the user agent is there where the operator keeps that header.
 * https://doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs/
 */
export const traefik = jsonFormat({
  name: 'traefik',
  isMine: (line) => 'RequestPath' in line && ('ClientHost' in line || 'ClientAddr' in line),
  read: (line) => ({
    time: firstOf(line, ['StartUTC', 'StartLocal', 'time']),
    userAgent: line['request_User-Agent'],
    method: line['RequestMethod'],
    target: line['RequestPath'],
    host: firstOf(line, ['RequestHost', 'RequestAddr']),
    address: firstOf(line, ['ClientHost', 'ClientAddr']),
    forwardedFor: line['request_X-Forwarded-For'],
    forwarded: line['request_Forwarded'],
    cfConnectingIp: line['request_Cf-Connecting-Ip'],
    trueClientIp: line['request_True-Client-Ip'],
    status: firstOf(line, ['DownstreamStatus', 'OriginStatus']),
    signatureAgent: line['request_Signature-Agent'],
    signatureInput: line['request_Signature-Input'],
    signature: line['request_Signature'],
    scheme: line['RequestScheme'],
  }),
});
