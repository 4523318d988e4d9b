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
    at: '#cited-in .figure b',
    sql: `select cast(round(100.0 * avg(${cited(isBrand)})) as integer) || ' %' from ${counted}`,
  },
  {
    page: '/w/demo/?weeks=12',
    at: '#cited-in .figure b',
    sql: `select cast(round(100.0 * avg(${cited(isBrand)})) as integer) || ' %' from runs r
      where r.workspace_id = :workspace and r.outcome = 'answered' and r.branded = 0
        and substr(r.run_at, 1, 10) between date(:to, '-83 days') and :to`,
  },
  {
    page: '/w/demo/?engine=chatgpt',
    at: '#cited-in .figure b',
    sql: `select cast(round(100.0 * avg(${cited(isBrand)})) as integer) || ' %' from ${counted} and r.engine = 'chatgpt'`,
  },
  {
    page: '/w/demo/',
    at: '#share-of-voice .figure b',
    sql: `select cast(round(100.0 * sum(${isBrand}) / count(*)) as integer) || ' %' from detections d
      join ${counted} and d.workspace_id = r.workspace_id and d.run_id = r.id and d.cited = 1`,
  },
  {
    page: '/w/demo/',
    at: '#open-gaps .figure b',
    sql: "select printf('%,d', count(*)) from actions where workspace_id = :workspace and status = 'open'",
  },
  {
    page: '/w/demo/',
    at: '#ai-crawler-requests .figure b',
    sql: "select printf('%,d', count(*)) from hits where workspace_id = :workspace and substr(hit_at, 1, 10) between :from and :to",
  },
  {
    page: '/w/demo/',
    at: '#who-is-cited tbody tr:first-child .name',
    sql: `select s.name from subjects s order by (select count(*) from ${counted} and ${cited('d.subject_id = s.id')}) desc limit 1`,
  },
];

/** Every page adds its own list. */
export const claims: readonly Claim[] = [...overview];
