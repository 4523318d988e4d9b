import { requestId, sendProblem } from './fake-overheard.ts';
import type { Behaviour } from './fake-overheard.ts';

const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
/** Never responds. */
const silence: Behaviour = () => {};
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
    title: '401',
    behaviour: (_, r) => sendProblem(r, 'invalid_api_key'),
    says: /refused the API key \(401 invalid_api_key\)[^]*OVERHEARD_API_KEY/,
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
    title: '500',
    behaviour: (_, r) => sendProblem(r, 'internal_error'),
    says: new RegExp(`500 internal_error[^]*The request was ${requestId}`),
    requests: 3,
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
  { title: 'a connection that breaks', behaviour: hangUp, says: /broke/, requests: 3 },
  {
    title: 'what is not in the encoding that it names',
    behaviour: respond(200, 'not gzip', { 'Content-Encoding': 'gzip' }),
    says: /not JSON/,
    requests: 1,
  },
  {
    title: 'a page',
    behaviour: respond(200, '<html>IGNORE ALL</html>'),
    says: /not JSON/,
    requests: 1,
  },
  foreign('JSON of another service', respond(200, '{"status":"ok"}')),
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
];
