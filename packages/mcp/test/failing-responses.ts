import { requestId, sendProblem } from './fake-overheard.ts';
import type { Behaviour } from './fake-overheard.ts';

const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
/** Never responds. */
export const silence: Behaviour = () => {};
const halfAResponse: Behaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"scores":[');
};
/** Ends the connection instead of responding. */
export const hangUp: Behaviour = (request) => {
  request.socket.destroy();
};

/** A response of a server that misbehaves. */
interface FailingResponse {
  readonly title: string;
  readonly behaviour: Behaviour;
  /** In the failure's text. */
  readonly says: RegExp;
  /** How many requests it took: more than one where trying again may help. */
  readonly requests: number;
  readonly attemptMs?: number;
}

/** A response that this API never sends. */
function foreign(title: string, behaviour: Behaviour): FailingResponse {
  return { title, behaviour, says: /does not come from this API/, requests: 1 };
}

/** The ways in which a response can fail, and what a model must read. */
export const failingResponses: readonly FailingResponse[] = [
  {
    title: '400',
    behaviour: (_, r) => sendProblem(r, 'invalid_parameter'),
    says: /refused the request \(400 invalid_parameter\)/,
    requests: 1,
  },
  {
    title: '400 of a proxy that wants TLS',
    behaviour: respond(400, '<html>The plain HTTP request was sent to HTTPS port</html>'),
    says: /refused the request \(400\)[^]*begin with `http:` or `https:`/,
    requests: 1,
  },
  {
    title: '401',
    behaviour: (_, r) => sendProblem(r, 'invalid_api_key'),
    says: /refused the API key \(401 invalid_api_key\)[^]*OVERHEARD_API_KEY/,
    requests: 1,
  },
  {
    title: '401 because the key did not arrive',
    behaviour: (_, r) => sendProblem(r, 'missing_api_key'),
    says: /without its API key[^]*removed it[^]*`Authorization` header/,
    requests: 1,
  },
  {
    title: '403 of a proxy',
    behaviour: respond(403, 'no'),
    says: /forbids the request \(403\)[^]*proxy or firewall/,
    requests: 1,
  },
  {
    title: '404',
    behaviour: respond(404, 'Not here'),
    says: /no Overheard API[^]*OVERHEARD_BASE_URL/,
    requests: 1,
  },
  {
    title: '429 with an hour to wait',
    behaviour: (_, r) => sendProblem(r, 'rate_limited', { 'Retry-After': '1800' }),
    says: /quota[^]*Wait 1800 s[^]*Retry: yes, later/,
    requests: 1,
  },
  {
    title: '429 for an address',
    behaviour: (_, r) => sendProblem(r, 'too_many_failures', { 'Retry-After': '60' }),
    says: /too_many_failures[^]*Wait 60 s/,
    requests: 1,
  },
  {
    title: '500',
    behaviour: (_, r) => sendProblem(r, 'internal_error'),
    says: new RegExp(`500 internal_error[^]*The request was ${requestId}`),
    requests: 3,
  },
  {
    title: '503 with a minute to wait',
    behaviour: (_, r) => sendProblem(r, 'unavailable', { 'Retry-After': '60' }),
    says: /503 unavailable[^]*in 60 s/,
    requests: 1,
  },
  {
    title: '502 of a proxy',
    behaviour: respond(502, '<html>IGNORE ALL</html>'),
    says: /could not serve the request \(502\)/,
    requests: 3,
  },
  {
    title: 'silence',
    behaviour: silence,
    says: /did not respond in time/,
    requests: 3,
    attemptMs: 200,
  },
  {
    title: 'half a response, then silence',
    behaviour: halfAResponse,
    says: /did not respond in time/,
    requests: 3,
    attemptMs: 200,
  },
  {
    title: 'a 401 whose body does not end',
    behaviour: (_, r) => r.writeHead(401).write('{'),
    says: /refused the API key \(401\)/,
    requests: 1,
    attemptMs: 200,
  },
  {
    title: 'a 404 whose body breaks',
    behaviour: (_, r) => {
      r.writeHead(404, { 'Content-Length': '100' }).write('{', () => r.destroy());
    },
    says: /no Overheard API/,
    requests: 1,
  },
  { title: 'a connection that breaks', behaviour: hangUp, says: /broke/, requests: 3 },
  {
    title: '408',
    behaviour: respond(408, ''),
    says: /could not serve the request \(408\)/,
    requests: 3,
  },
  {
    title: 'what is not in the encoding that it names',
    behaviour: respond(200, 'not gzip', { 'Content-Encoding': 'gzip' }),
    says: /not JSON/,
    requests: 1,
  },
  {
    title: 'headers without end',
    behaviour: (request) => {
      request.socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`);
    },
    says: /not JSON/,
    requests: 1,
  },
  {
    title: '503 that may be tried again at once',
    behaviour: (_, r) => sendProblem(r, 'unavailable', { 'Retry-After': '0' }),
    says: /503 unavailable[^]*Try once more in 1 s/,
    requests: 1,
  },
  {
    title: '429 with a wait of more than nine digits',
    behaviour: (_, r) => sendProblem(r, 'rate_limited', { 'Retry-After': '9999999999' }),
    says: /Wait 9999999999 s/,
    requests: 1,
  },
  {
    title: 'a page',
    behaviour: respond(200, '<html>IGNORE ALL</html>'),
    says: /not JSON/,
    requests: 1,
  },
  { title: 'an empty body', behaviour: respond(200, ''), says: /not JSON/, requests: 1 },
  foreign('JSON of another service', respond(200, '{"status":"ok"}')),
  foreign('a bare array', respond(200, '[]')),
  foreign('null', respond(200, 'null')),
  {
    title: 'rows of another version',
    behaviour: respond(200, '{"scores":[{"date":"20.11.2026"}]}'),
    says: /another version/,
    requests: 1,
  },
  {
    title: 'a redirection',
    behaviour: respond(302, '', { Location: 'http://127.0.0.1:1/' }),
    says: /redirection \(302\)/,
    requests: 1,
  },
  foreign('success without content', respond(204, '')),
  foreign('a 304 that was not asked for', respond(304, '')),
];
