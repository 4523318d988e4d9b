import { createMemo } from '../../values/memo.ts';

/** Where logs have a request's headers: `http_forwarded`, `headers.Forwarded`, `cs(Forwarded)`. */
const headerPlaces = ['http', 'request', 'requestheaders', 'reqheaders', 'headers', 'cs', ''];

function header(name: string): string {
  return headerPlaces.map((place) => place + name).join(' ');
}

/**
 * What servers, platforms and collectors call each field, in lower case and without separators, so that
 * `cs(User-Agent)`, `user_agent` and `request.headers.User-Agent` are one spelling each. If a line has
 * several, the first one here counts. A name with the path before its query comes after one with both.
 */
const namesOf = {
  time: 'edgestarttimestamp startutc startlocal timeiso8601 timems timestampms reqtimesec timestamp starttime starttimestamp msec timelocal datetime timemicros time ts eventtime edgeendtimestamp requesttimestamp startedat logtime timereceived timegenerated requesttime',
  // The day, if `time` is the time of day alone.
  date: 'date day',
  userAgent:
    'clientrequestuseragent requestua csuseragent httpuseragent requestuseragent useragentoriginal httprequestuseragent requestheadersuseragent reqheadersuseragent requestheaderuseragent headersuseragent reqhdruseragent messageua useragent ua useragentstring agent',
  referer:
    'clientrequestreferer csreferer httpreferer requestreferer requestheadersreferer reqheadersreferer requestheaderreferer headersreferer reqhdrreferer proxyreferer httprequestreferrer httprequestreferer referer referrer httpreferrer',
  // `GET /path HTTP/1.1`; or method and target apart.
  request: 'request requestline httprequest req',
  method:
    'clientrequestmethod csmethod requestmethod httprequestmethod httpmethod reqmethod method verb httpverb',
  // Path and query, or a whole URL.
  target:
    'originalrequesturiwithargs clientrequesturi requesturi csuri requesturl httprequesturl httprequesturi requrl urloriginal originalurl urlfull httpurl url uri clientrequestpath csuristem requestpath reqpath uripath urlpath httppath httptarget xenvoyoriginpath path resource target',
  query: 'csuriquery requesturlquerystring querystring requestquery urlquery querystr args query',
  host: 'clientrequesthost xhostheader httphost requesthost requestheadershost reqheadershost headershost reqhost vhost virtualhost authority cshost hostheader urldomain domain originalhost host servername hostname requestaddr',
  address:
    'socketip clientip requestclientip cip cliip remoteaddr remoteip requestremoteip clientaddr clientaddress clienthost clientipaddress sourceip sourceaddress srcip downstreamremoteaddress remoteaddress reqremoteaddress requestremoteaddr networkclientip remotehost ipaddress ip client',
  forwardedFor: `${header('xforwardedfor')} proxyaddxforwardedfor forwardedfor xff`,
  forwarded: header('forwarded'),
  cfConnectingIp: header('cfconnectingip'),
  trueClientIp: header('trueclientip'),
  originAuth: `${header('xoriginauth')} originauth`,
  status:
    'edgeresponsestatus edgeresponsestatuscode downstreamstatus originresponsestatus originstatus scstatus httpstatus httpstatuscode statuscode responsestatuscode httpresponsestatuscode responsestatus responsecode httpresponsecode resstatuscode responsecodesent status code',
  signatureAgent: header('signatureagent'),
  signatureInput: header('signatureinput'),
  signature: header('signature'),
  scheme: 'requestscheme csprotocol urlscheme scheme',
};

export type RequestField = keyof typeof namesOf;

/** The fields that a format found in a line, as written. */
export type RawLine = Readonly<Partial<Record<RequestField, unknown>>>;

export const requestFields: readonly RequestField[] = Object.keys(namesOf).filter(isField);

function isField(name: string): name is RequestField {
  return Object.hasOwn(namesOf, name);
}

/** Each spelling, and how precise it is: a lower rank counts more. */
const places = new Map(
  requestFields.flatMap((field) =>
    namesOf[field].split(' ').map((name, rank) => [name, { field, rank }] as const),
  ),
);

/**
 * Which field a column or a key has, by its name; undefined for any other. No spelling is longer than
 * `lengthMax`: visitors make up names of headers.
 */
const placeOf = createMemo(
  // A collector's name for the machine of the log is not the site.
  (name) =>
    /^(?:agent|host|log)\./.test(name)
      ? undefined
      : places.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')),
  { entriesMax: 10_000, lengthMax: 100 },
);

export type NamedValue = readonly [name: string, value: unknown];

/** The fields of a line by its own names; of several names for one field the most precise counts. */
export function nameFields(values: readonly NamedValue[]): RawLine {
  const line: Partial<Record<RequestField, unknown>> = {};
  const ranks: Partial<Record<RequestField, number>> = {};
  for (const [name, value] of values) {
    if (value === null || value === undefined || value === '' || value === '-') continue;
    const place = placeOf(name);
    if (place === undefined || place.rank >= (ranks[place.field] ?? Infinity)) continue;
    ranks[place.field] = place.rank;
    line[place.field] = value;
  }
  return line;
}

/** Whether a line says when and what was requested. */
export function isRequest({ time, date, request, target }: RawLine): boolean {
  return (time ?? date) !== undefined && (request ?? target) !== undefined;
}
