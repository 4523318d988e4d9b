import type { RawLine } from './raw-line.ts';

type Field = keyof RawLine;

/**
 * What servers, platforms and collectors call each field, in lower case and without separators, so that
 * `cs(User-Agent)`, `user_agent` and `request.headers.User-Agent` are one spelling each. If a line has
 * several, the first one here counts. A name with the path before its query comes after one with both.
 */
const namesOf: Readonly<Record<Field, string>> = {
  date: 'date day',
  time: 'edgestarttimestamp startutc startlocal timeiso8601 timems timestampms reqtimesec timestamp starttime starttimestamp msec timelocal datetime timemicros time ts eventtime edgeendtimestamp requesttimestamp logtime timereceived timegenerated requesttime',
  userAgent:
    'clientrequestuseragent csuseragent httpuseragent requestuseragent useragentoriginal httprequestuseragent requestheadersuseragent reqheadersuseragent requestheaderuseragent headersuseragent reqhdruseragent messageua useragent ua useragentstring agent',
  referer:
    'clientrequestreferer csreferer httpreferer requestreferer requestheadersreferer reqheadersreferer requestheaderreferer headersreferer reqhdrreferer proxyreferer httprequestreferrer httprequestreferer referer referrer httpreferrer',
  request: 'request requestline httprequest req',
  method:
    'clientrequestmethod csmethod requestmethod httprequestmethod httpmethod reqmethod method verb httpverb',
  target:
    'originalrequesturiwithargs clientrequesturi requesturi csuri requesturl httprequesturl httprequesturi requrl urloriginal originalurl urlfull httpurl url uri clientrequestpath csuristem requestpath reqpath uripath urlpath httppath httptarget xenvoyoriginpath path resource target',
  query: 'csuriquery querystring requestquery urlquery querystr args query',
  host: 'clientrequesthost xhostheader httphost requesthost requestheadershost reqheadershost headershost reqhost vhost virtualhost authority cshost hostheader urldomain domain originalhost host servername hostname requestaddr',
  address:
    'socketip clientip requestclientip cip cliip remoteaddr remoteip requestremoteip clientaddr clientaddress clienthost clientipaddress sourceip sourceaddress srcip downstreamremoteaddress remoteaddress reqremoteaddress requestremoteaddr networkclientip remotehost ipaddress ip client',
  forwardedFor:
    'httpxforwardedfor proxyaddxforwardedfor requestxforwardedfor requestheadersxforwardedfor reqheadersxforwardedfor headersxforwardedfor csxforwardedfor xforwardedfor forwardedfor xff',
  forwarded:
    'httpforwarded requestforwarded requestheadersforwarded reqheadersforwarded headersforwarded csforwarded forwarded',
  cfConnectingIp:
    'httpcfconnectingip requestcfconnectingip requestheaderscfconnectingip reqheaderscfconnectingip headerscfconnectingip cscfconnectingip cfconnectingip',
  trueClientIp:
    'httptrueclientip requesttrueclientip requestheaderstrueclientip reqheaderstrueclientip headerstrueclientip cstrueclientip trueclientip',
  status:
    'edgeresponsestatus downstreamstatus originresponsestatus originstatus scstatus httpstatus httpstatuscode statuscode responsestatuscode httpresponsestatuscode responsestatus responsecode httpresponsecode resstatuscode responsecodesent status code',
  signatureAgent:
    'httpsignatureagent requestsignatureagent requestheaderssignatureagent reqheaderssignatureagent headerssignatureagent cssignatureagent signatureagent',
  signatureInput:
    'httpsignatureinput requestsignatureinput requestheaderssignatureinput reqheaderssignatureinput headerssignatureinput cssignatureinput signatureinput',
  signature:
    'httpsignature requestsignature requestheaderssignature reqheaderssignature headerssignature cssignature signature',
  scheme: 'requestscheme csprotocol urlscheme scheme',
};

interface Place {
  readonly field: Field;
  /** Lower counts more. */
  readonly rank: number;
}

const places: ReadonlyMap<string, Place> = new Map(
  Object.entries(namesOf).flatMap(([name, written]) => {
    const field = Object.keys(namesOf).find((key): key is Field => key === name);
    return field === undefined
      ? []
      : written.split(' ').map((spelling, rank) => [spelling, { field, rank }] as const);
  }),
);

/** The keys of a log are few; those of a hostile one are forgotten from time to time. */
const keysMax = 10_000;
const seen = new Map<string, Place | undefined>();

/** Which field a column or a key has, by its name; undefined for any other. */
function placeOf(name: string): Place | undefined {
  const known = seen.get(name);
  if (known !== undefined || seen.has(name)) return known;
  if (seen.size >= keysMax) seen.clear();
  // A collector's name for the machine of the log is not the site.
  const place = /^(?:agent|host|log)\./.test(name)
    ? undefined
    : places.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  seen.set(name, place);
  return place;
}

/** Collects what a line says under its own names. */
export interface NamedFields {
  add(name: string, value: unknown): void;
  readonly line: RawLine;
}

/** Starts a line whose fields have names; of several names for one field the most precise counts. */
export function collectFields(): NamedFields {
  const line: Partial<Record<Field, unknown>> = {};
  const ranks: Partial<Record<Field, number>> = {};
  return { add, line };

  function add(name: string, value: unknown): void {
    if (value === null || value === undefined || value === '' || value === '-') return;
    const place = placeOf(name);
    if (place === undefined || place.rank >= (ranks[place.field] ?? Infinity)) return;
    ranks[place.field] = place.rank;
    line[place.field] = value;
  }
}

/** Whether these columns suffice for a request: its time, its path and its client. */
export function makeRequests(names: readonly string[]): boolean {
  const fields = new Set(names.map((name) => placeOf(name)?.field));
  const hasTime = fields.has('time') || fields.has('date');
  return hasTime && fields.has('userAgent') && (fields.has('request') || fields.has('target'));
}
