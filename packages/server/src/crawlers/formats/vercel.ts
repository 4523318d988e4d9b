import { firstOf, jsonFormat, objectOf } from './json-format.ts';

/**
 * Vercel's log drain as NDJSON: the request stands under `proxy`.
 * https://vercel.com/docs/drains/reference/logs
 */
export const vercel = jsonFormat({
  name: 'vercel',
  isMine: (line) => objectOf(line['proxy']) !== undefined,
  read: (line) => {
    const proxy = objectOf(line['proxy']) ?? {};
    const agent = proxy['userAgent'];
    return {
      time: firstOf(proxy, ['timestamp']) ?? line['timestamp'],
      userAgent: Array.isArray(agent) ? agent[0] : agent,
      method: proxy['method'],
      target: proxy['path'],
      host: firstOf(proxy, ['host']) ?? line['host'],
      address: proxy['clientIp'],
      status: firstOf(proxy, ['statusCode']) ?? line['statusCode'],
    };
  },
});
