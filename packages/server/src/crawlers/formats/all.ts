import { CommandError } from '../../problems.ts';
import { alb } from './alb.ts';
import { caddy } from './caddy.ts';
import { cloudflare } from './cloudflare.ts';
import { customFormat } from './custom.ts';
import { fastly } from './fastly.ts';
import type { LogFormat } from './format.ts';
import { ncsa } from './ncsa.ts';
import { netlify } from './netlify.ts';
import { nginxJson } from './nginx-json.ts';
import { createPrefixedFormat } from './prefixed.ts';
import { traefik } from './traefik.ts';
import { vercel } from './vercel.ts';
import { createW3cFormat } from './w3c.ts';
import type { W3cFormat } from './w3c.ts';

/** The formats that are alike for all files. */
const stateless: readonly LogFormat[] = [
  ncsa,
  nginxJson,
  caddy,
  traefik,
  cloudflare,
  fastly,
  netlify,
  vercel,
  alb,
];

/** The formats of one file, in the order in which they are tried. W3C's has a state: its columns. */
export interface FileFormats {
  readonly candidates: readonly LogFormat[];
  readonly w3c: W3cFormat;
}

/** What `--format` takes besides `auto` and `fields=...`, and what each is. */
export const formatTitles = {
  ncsa: 'NCSA common and combined, as Apache and nginx write them, with a virtual host before or after, or X-Forwarded-For after; `combined` is another name for it',
  'nginx-json': "nginx with a JSON `log_format` of nginx's own variable names",
  caddy: "Caddy's JSON",
  traefik: "Traefik's JSON, with the user agent kept (`accesslog.fields.headers`)",
  cloudflare: "Cloudflare Logpush's `http_requests`, NDJSON",
  fastly:
    'Fastly, NDJSON with `timestamp`, `client_ip`, `request_method`, `host`, `url`, `request_user_agent` and `response_status`',
  netlify: "Netlify's traffic log drain, NDJSON",
  vercel: "Vercel's log drain, NDJSON",
  alb: 'AWS Application and Classic Load Balancer',
  w3c: 'W3C extended by its `#Fields` (IIS, CloudFront)',
} as const;

/** The names that `--format` takes besides `auto` and `fields=...`. */
export const formatNames: readonly string[] = Object.keys(formatTitles);

/**
 * The formats that a file may be in, by the value of `--format`. Throws a `CommandError` for a value
 * that is none.
 */
export function createFormats(choice: string): FileFormats {
  const w3c = createW3cFormat();
  const all = [...stateless, w3c];
  if (choice === 'auto') return { candidates: [...all, createPrefixedFormat(stateless)], w3c };
  if (choice.startsWith('fields=')) {
    return { candidates: [customFormat(choice.slice('fields='.length))], w3c };
  }
  const wanted = choice === 'combined' || choice === 'common' ? 'ncsa' : choice;
  const found = all.find(({ name }) => name === wanted);
  if (found !== undefined) return { candidates: [found, createPrefixedFormat([found])], w3c };
  throw new CommandError(
    `There is no log format "${choice}". Take auto, ${formatNames.join(', ')} or fields=...`,
    { exitCode: 2 },
  );
}
