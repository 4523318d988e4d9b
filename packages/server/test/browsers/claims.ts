/**
 * What pages of the demo's workspace claim, and the truth from SQL over runs, detections, actions and
 * hits: never over the tables of counts that the pages read. A query returns the very text. In it
 * `:workspace`, `:from`, `:to` and `:before` (the first day of the 4 weeks before) are filled in.
 */
export interface Claim {
  readonly page: string;
  /** A CSS selector of one element. */
  readonly at: string;
  readonly sql: string;
}

const counted = `runs r join prompts p on p.workspace_id = r.workspace_id and p.id = r.prompt_id
  where r.workspace_id = :workspace and r.outcome = 'answered' and r.branded = 0
    and substr(r.run_at, 1, 10) between :from and :to`;

const cited = (
  type: string,
) => `exists (select 1 from detections d where d.workspace_id = r.workspace_id
  and d.run_id = r.id and d.cited = 1 and ${type})`;

const isBrand = "d.subject_type = 'brand'";

const overview: readonly Claim[] = [
  {
    page: '/w/demo/',
    at: '.lineup .own b',
    sql: `select cast(round(100.0 * avg(${cited(isBrand)})) as integer) || ' %' from ${counted}`,
  },
  {
    page: '/w/demo/?weeks=12',
    at: '.lineup .own b',
    sql: `select cast(round(100.0 * avg(${cited(isBrand)})) as integer) || ' %' from runs r
      where r.workspace_id = :workspace and r.outcome = 'answered' and r.branded = 0
        and substr(r.run_at, 1, 10) between date(:to, '-83 days') and :to`,
  },
  {
    page: '/w/demo/',
    at: '#sample',
    sql: `select printf('%,d answers', count(*)) from ${counted}`,
  },
  {
    page: '/w/demo/',
    at: '.side a[href="/w/demo/gaps"] small',
    sql: "select count(*) from actions where workspace_id = :workspace and status = 'open'",
  },
  {
    page: '/w/demo/',
    at: 'main > section:last-child .figure b >> nth=0',
    sql: "select printf('%,d', count(*)) from hits where workspace_id = :workspace and verification = 'verified' and substr(hit_at, 1, 10) between :from and :to",
  },
  {
    page: '/w/demo/',
    at: '#who-appears tbody tr:first-child .name',
    sql: `select s.name from subjects s order by (select count(*) from ${counted} and ${cited('d.subject_id = s.id')}) desc limit 1`,
  },
];

const prompts: readonly Claim[] = [
  {
    page: '/w/demo/prompts',
    at: 'section h2',
    sql: "select printf('%,d prompts', count(*)) from prompts where workspace_id = :workspace",
  },
  {
    page: '/w/demo/prompts?sort=most_cited',
    at: 'tbody tr:first-child td[data-label="Appears in"] .figure b',
    sql: `select cast(round(100.0 * max(rate)) as integer) || ' %' from
      (select avg(${cited(isBrand)}) as rate from ${counted} group by r.prompt_id)`,
  },
  {
    page: '/w/demo/prompts?sort=most_runs',
    at: 'tbody tr:first-child td[data-label="Answers"] .figure b',
    sql: `select count(*) from runs r where workspace_id = :workspace
      and substr(run_at, 1, 10) between :from and :to group by prompt_id order by 1 desc limit 1`,
  },
];

const answers: readonly Claim[] = [
  {
    page: '/w/demo/answers',
    at: 'tbody tr:first-child .name a',
    sql: `select a.asked from runs r join answers a on a.workspace_id = r.workspace_id and a.run_id = r.id
      where r.workspace_id = :workspace order by r.run_at desc, r.id limit 1`,
  },
];

const reports: readonly Claim[] = [
  {
    page: '/w/demo/competitors',
    at: 'main section >> nth=0 >> tbody tr:nth-child(2) td[data-label="Appears in"] .figure b',
    sql: `select cast(round(100.0 * avg(${cited("d.subject_id = (select id from subjects where name = 'Globex')")})) as integer) || ' %' from ${counted}`,
  },
  {
    page: '/w/demo/sources',
    at: 'main section >> nth=0 >> tbody tr:nth-child(1) .figure b',
    sql: `select count(*) from (select j.value as site from answers a, json_each(a.sites) j
      where a.workspace_id = :workspace and a.run_id in (select r.id from ${counted}))
      group by site order by 1 desc limit 1`,
  },
  {
    page: '/w/demo/sources?sort=gap',
    at: 'main section >> nth=0 >> tbody tr:nth-child(1) td[data-label="Gaps"]',
    sql: `select count(*) from (select j.value as site from answers a, json_each(a.sites) j
      where a.workspace_id = :workspace and a.run_id in (select r.id from ${counted}
        and ${cited("d.subject_type = 'competitor'")} and not ${cited(isBrand)}))
      group by site order by 1 desc limit 1`,
  },
  {
    page: '/w/demo/gaps',
    at: 'nav[aria-label=Status] [aria-current]',
    sql: "select 'Open ' || count(*) from actions where workspace_id = :workspace and status = 'open'",
  },
  {
    page: '/w/demo/gaps?status=in_progress',
    at: '.rows li:first-child .topic',
    sql: `select 'Catch up on Google AI Overview' from actions where workspace_id = :workspace
      and recommendation like 'Catch up on google_ai_overview: %' and status = 'in_progress' order by impact_score desc limit 1`,
  },
];

const hits = 'hits where workspace_id = :workspace and substr(hit_at, 1, 10) between :from and :to';

const crawlers: readonly Claim[] = [
  {
    page: '/w/demo/crawlers',
    at: '.counts .figure b >> nth=0',
    sql: `select printf('%,d', count(*)) from ${hits}`,
  },
  {
    page: '/w/demo/crawlers',
    at: '.counts .figure b >> nth=1',
    sql: `select count(distinct bot_name) from ${hits}`,
  },
  {
    page: '/w/demo/crawlers',
    at: '.counts .figure b >> nth=4',
    sql: `select printf('%,d', count(*)) from ${hits} and verification = 'spoofed'`,
  },
  {
    page: '/w/demo/crawlers?by=bot',
    at: 'tbody tr:first-child .name a',
    sql: `select bot_name from ${hits} group by bot_name order by count(*) desc limit 1`,
  },
];

/** Every page adds its own list. */
export const claims: readonly Claim[] = [
  ...prompts,
  ...answers,
  ...reports,
  ...crawlers,
  ...overview,
];
