import { cadenceWords } from '../../../reports/engine-access/cadence.ts';
import type {
  BotAccess,
  EngineAccess,
  EngineRow,
} from '../../../reports/engine-access/engine-access.ts';
import type { Story } from '../../../reports/engine-access/stories.ts';
import { clientAddressLines } from '../../../reports/hits/address-verdicts.ts';
import type { Period } from '../../../reports/shares/windows.ts';
import { plural, thousands } from '../../../values/plural.ts';
import { dayBars } from '../../charts/day-bars.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { fold } from '../../parts/fold.ts';
import { shortMinute } from '../../parts/moment-words.ts';
import { story, sub } from '../../parts/story.ts';
import type { StoryWords } from '../../parts/story.ts';
import { texts } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { readsFor } from './crawl-columns.ts';

/** Stories that are told in full; the command line lists all. */
const toldMax = 3;

/** Says whether the engines can read the site: what is worst, or which engines read it. */
export function accessStory(access: EngineAccess): Content {
  const [worst] = access.stories;
  const readers = readersWords(access);
  const first: StoryWords | undefined =
    worst === undefined ? readers : { text: worst.sentence, tone: 'down' };
  return html`${first !== undefined && story([first])}
  ${worst !== undefined && readers !== undefined && sub([[readers]])}`;
}

/** What to do about what keeps engines from the site. */
export function cures({ stories }: EngineAccess): Content {
  const [worst] = stories;
  if (worst === undefined) return undefined;
  return html`<section class="notice warn" aria-labelledby="access">
    <h2 id="access">What to do</h2>
    ${stories.slice(0, toldMax).map(
      (each) =>
        html`<p>${each !== worst && [each.sentence, ' ']}${each.cure}</p>
          ${ruleFold(each)}`,
    )}
  </section>`;
}

/** The genuine requests of each day of a period. */
export function accessDays({ days }: EngineAccess, { from, to }: Period): Content {
  const bars = days
    .filter(({ date, genuine }) => date >= from && date <= to && genuine > 0)
    .map(({ date, genuine, refused }) => ({ date, count: genuine, bad: refused }));
  const title = 'Genuine requests by day';
  const start = days[0] !== undefined && days[0].date > from ? days[0].date : from;
  if (bars.length === 0) return undefined;
  return html`<section>
    <h2>${title}</h2>
    ${dayBars(title, { from: start, to }, bars)}
  </section>`;
}

/** `ChatGPT, Perplexity and Claude read your site.` Only bots that read for answers count. */
function readersWords({ engines }: EngineAccess): StoryWords | undefined {
  const names = engines
    .filter(({ bots }) =>
      bots.some(
        ({ purpose, requests, refused }) => purpose !== 'crawler' && requests > 2 * refused,
      ),
    )
    .map(({ engine }) => engine);
  if (names.length === 0) return undefined;
  const list = new Intl.ListFormat('en-GB').format(names);
  return { text: `${list} ${names.length === 1 ? 'reads' : 'read'} your site.`, tone: 'plain' };
}

interface Rule {
  readonly place: string;
  readonly rule: string;
  /** What to do with it besides copying. */
  readonly hint?: string;
}

/** Rules to copy that let a bot through, or refuse those who only pretend to be it. */
function ruleFold({ kind, bot_name: name }: Story): Content {
  if (kind === 'proxied') return fold("How servers log the client's address", clientAddressList());
  if (name === null) return undefined;
  const rules = {
    refused: passRules,
    disallowed: (bot: string): readonly Rule[] => [
      { place: 'robots.txt', rule: `User-agent: ${bot}\nAllow: /` },
    ],
    forged: forgeryRules,
  };
  if (kind !== 'refused' && kind !== 'disallowed' && kind !== 'forged') return undefined;
  // Names of variables and lists have letters, digits and underscores only.
  const list = `${name.toLowerCase().replaceAll(/\W/g, '_')}_networks`;
  return fold(
    `Rules to copy that ${kind === 'forged' ? 'refuse the forgeries' : `let ${name} through`}`,
    rules[kind](name, list).map(
      ({ place, rule, hint }) =>
        html`<p>${place}</p>
          ${copyableText(`rule-${kind}-${`${name} ${place}`.replaceAll(/\W/g, '-')}`, rule, `${place} rule for ${name}`)}
          ${hint !== undefined && html`<p class="hint">${hint}</p>`}`,
    ),
  );
}

/** A line for each server. */
export function clientAddressList(): Html {
  return html`<ul>
    ${clientAddressLines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** nginx compares networks with the address of the connection, unless it is told whom to trust. */
const behindProxy =
  '# Behind a proxy or CDN, set real_ip first (set_real_ip_from, real_ip_header).';
/** With shielding, a request passes a second edge, where client.ip is the first edge's address. */
const firstEdge = 'fastly.ff.visits_this_service == 0';

/** Cloudflare knows genuine bots as `cf.client.bot`; nginx and Fastly need the operator's networks. */
function passRules(name: string, list: string): readonly Rule[] {
  const condition = `http.user_agent contains ${JSON.stringify(name)} and cf.client.bot`;
  return [
    { place: 'Cloudflare, a custom rule with the action Skip', rule: `(${condition})` },
    {
      place: 'nginx, before the deny line that refuses it',
      rule: `${behindProxy}\n# A line for each network.\nallow <network>;`,
      hint: 'Allow works against deny only. If an "if" or a "map" with "return 403" refuses the bot, change that condition.',
    },
    fastlyList(list),
    {
      place: 'Fastly, where vcl_recv refuses it',
      rule: `if (${firstEdge} && (<your condition>) && client.ip !~ ${list}) { error 403; }`,
    },
  ];
}

function forgeryRules(name: string, list: string): readonly Rule[] {
  const agent = JSON.stringify(name);
  const condition = `http.user_agent contains ${agent} and not cf.client.bot`;
  return [
    { place: 'Cloudflare, a custom rule with the action Block', rule: `(${condition})` },
    {
      place: 'nginx: geo and map in http, the rest in server',
      rule: `${behindProxy}\ngeo $${list} { default 0; <network> 1; }\nmap $${list}:$http_user_agent $forged_${list} { default 0; ${JSON.stringify(`~*^0:.*${name}`)} 1; }\nif ($forged_${list}) { return 403; }`,
    },
    fastlyList(list),
    {
      place: 'Fastly, in vcl_recv',
      rule: `if (${firstEdge} && req.http.User-Agent ~ ${agent} && client.ip !~ ${list}) { error 403; }`,
    },
  ];
}

/** VCL takes a list of networks only outside of subroutines. */
function fastlyList(list: string): Rule {
  return {
    place: 'Fastly, outside of subroutines (an init snippet)',
    rule: `acl ${list} { "<address>"/<bits>; }`,
  };
}

/** A bot with its engine. */
export type EngineBot = Pick<EngineRow, 'engine'> & BotAccess;

/** Genuine requests of each engine's bots. `link` leads to the page of a bot. */
export const engineColumns = (nowMs: number, link: (bot: string) => string): Columns<EngineBot> => [
  {
    title: 'Bot',
    cell: ({ bot_name: name }) => html`<a href="${link(name)}">${name}</a>`,
    csv: ({ bot_name: name }) => name,
  },
  texts('Engine', ({ engine }) => engine),
  { title: 'Reads for', cell: ({ purpose }) => readsFor(purpose), csv: ({ purpose }) => purpose },
  {
    title: 'Refused in 7 days',
    cell: ({ refused, requests }) => part(refused, requests),
    csv: ({ refused }) => refused,
    isNumber: true,
  },
  { title: 'Requests in 7 days', csv: ({ requests }) => requests },
  {
    title: '7 days before',
    cell: ({ refused_before: refused, requests_before: requests }) => part(refused, requests),
    csv: ({ refused_before: refused }) => refused,
    isNumber: true,
  },
  {
    title: 'Forged',
    cell: ({ forged }) => forged > 0 && thousands(forged),
    csv: ({ forged }) => forged,
    isNumber: true,
  },
  { title: 'Requests before', csv: ({ requests_before: requests }) => requests },
  texts('Comes', comes),
  {
    title: 'Last read',
    cell: ({ last_read_at: at }) => (at === null ? 'never' : shortMinute(at, nowMs)),
    csv: ({ last_read_at: at }) => at,
  },
];

function part(refused: number, requests: number): Content {
  if (requests === 0) return undefined;
  const words = `${thousands(refused)} of ${thousands(requests)}`;
  return refused > 0 ? html`<b class="bad-text">${words}</b>` : words;
}

/** `usually daily, last seen 12 days ago`. */
function comes({ cadence }: BotAccess): string {
  if (cadence === null) return '';
  const { silent_days: silent, usual_days: usual } = cadence;
  const words = `usually ${cadenceWords(cadence)}`;
  return silent > 2 * usual ? `${words}, last seen ${plural(silent, 'day')} ago` : words;
}
