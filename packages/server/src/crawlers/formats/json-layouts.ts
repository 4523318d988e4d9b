import { valueAt } from './json-format.ts';
import type { JsonLayout } from './json-format.ts';

/**
 * Layouts of JSON lines by their names, in the order in which they are tried. The fields have their
 * names in `field-names.ts`.
 */
export const jsonLayouts: Readonly<Record<string, JsonLayout>> = {
  // https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
  'nginx-json': {
    title: "nginx with a JSON `log_format` of nginx's own variable names",
    needs: ['http_user_agent', 'remote_addr request request_uri'],
  },
  // `client_ip` is the client behind trusted proxies. https://caddyserver.com/docs/logging
  caddy: {
    title: "Caddy's JSON",
    needs: ['request.uri', 'ts'],
    also: (line) => ({
      scheme: valueAt(line, 'request.tls') === undefined ? 'http' : 'https',
    }),
  },
  // https://doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs/
  traefik: {
    title: "Traefik's JSON, with the user agent kept (`accesslog.fields.headers`)",
    needs: ['RequestPath', 'ClientHost ClientAddr'],
  },
  // https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests/
  cloudflare: {
    title: "Cloudflare Logpush's `http_requests`, NDJSON",
    needs: ['ClientRequestUserAgent EdgeStartTimestamp'],
  },
  // https://developers.cloudflare.com/workers/observability/logs/tail-workers/
  'cloudflare-workers': {
    title:
      'Cloudflare Workers, as `wrangler tail` and tail workers have them, one event a line; Logpush’s `workers_trace_events` has no user agent',
    needs: ['event.request.headers', 'eventTimestamp'],
    within: 'event',
    also: ({ eventTimestamp: time }) => ({ time }),
  },
  // https://www.tencentcloud.com/document/product/1145/56253
  edgeone: {
    title: 'Tencent EdgeOne, JSON',
    needs: ['RequestUA', 'RequestTime', 'RequestUrl'],
    also: ({ RequestTime: time }) => ({ time }),
  },
  // https://developer.konghq.com/plugins/file-log/
  kong: {
    title: "Kong's `file-log` and `http-log`",
    needs: ['request.uri', 'started_at'],
  },
  // https://techdocs.akamai.com/datastream2/docs/log-format: values are percent-encoded, paths bare.
  akamai: {
    title: 'Akamai DataStream 2, JSON, with `reqTimeSec`, `reqPath` and `UA` among its fields',
    needs: ['reqTimeSec', 'reqPath reqMethod'],
    also: ({ reqPath }) =>
      typeof reqPath === 'string' ? { target: `/${reqPath.replace(/^\//, '')}` } : {},
  },
  // https://docs.cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest
  'google-cloud': {
    title:
      'Google Cloud Logging: load balancers, Cloud CDN, Cloud Run, Firebase Hosting (`httpRequest`)',
    needs: ['httpRequest.requestUrl'],
    within: 'httpRequest',
  },
  'app-engine': {
    title: 'Google App Engine (`protoPayload`)',
    needs: ['protoPayload.resource'],
    within: 'protoPayload',
  },
  // `clientIp` comes from X-Forwarded-For, if the client sent one; `socketIp` is the client's.
  // https://learn.microsoft.com/azure/frontdoor/monitor-front-door-reference
  'azure-front-door': {
    title: 'Azure Front Door; the address is `socketIp`, because clients can set `clientIp`',
    needs: ['properties.requestUri', 'properties.socketIp properties.trackingReference'],
    within: 'properties',
    also: (line) => ({ forwardedFor: valueAt(line, 'properties.clientIp') }),
  },
  // https://learn.microsoft.com/azure/application-gateway/monitor-application-gateway-reference
  azure: {
    title: 'Azure Application Gateway and App Service (`properties`)',
    needs: ['properties', 'category operationName'],
    within: 'properties',
  },
  // https://docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html
  'aws-waf': {
    title: 'AWS WAF',
    needs: ['httpRequest.uri', 'webaclId'],
    within: 'httpRequest',
  },
  // https://vercel.com/docs/drains/reference/logs
  vercel: {
    title: "Vercel's log drain, NDJSON or JSON arrays",
    needs: ['proxy.path proxy.userAgent'],
    within: 'proxy',
  },
  // https://docs.fastly.com/en/guides/useful-log-formats
  fastly: {
    title:
      'Fastly, NDJSON with `timestamp`, `client_ip`, `request_method`, `host`, `url`, `request_user_agent` and `response_status`',
    needs: ['request_user_agent', 'timestamp'],
  },
  // https://docs.netlify.com/manage/monitoring/log-drains/
  netlify: {
    title: "Netlify's traffic log drain, NDJSON",
    needs: ['user_agent', 'client_ip', 'url'],
  },
  // https://www.elastic.co/guide/en/ecs/current/, https://opentelemetry.io/docs/specs/semconv/http/
  ecs: {
    title: 'Elastic Common Schema and OpenTelemetry',
    needs: ['user_agent.original', 'url.path url.original url.full http.target'],
  },
  json: {
    title:
      'any other JSON whose keys have usual names, such as `time`, `method`, `path` and `user_agent`: Envoy and Istio JSON, CloudFront v2 JSON, S3 in CloudWatch, pino',
    needs: [],
  },
};
