import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { packText } from '../packed-text.ts';
import { statements } from './migration.ts';
import type { Migration } from './migration.ts';

/** The migrations of workspaces' data, from version 22 on. */
export const dataMigrations: readonly Migration[] = [
  // 22: the range of an answer that counts. `answers redetect` fills it for the stored answers.
  statements(
    'alter table answers add column counts_from integer',
    'alter table answers add column counts_to integer',
  ),
  // 23: a workspace's own sites besides its brand's domains.
  statements(`create table own_sites (workspace_id {text} not null, domain {text} not null,
    constraint own_sites_key primary key (workspace_id, domain))`),
  // 24: an accusation now needs proof of its site on both sides, and no visitor behind its address.
  // Older hits have no network, which says that their visitors are unknown: accusations by lists and
  // names become unverified, until their log is read again.
  statements(
    `create table hit_votes (
      workspace_id {text} not null, day integer not null, verdict {text} not null,
      site {text} not null, operator {text} not null, network {text} not null,
      hits integer not null, constraint hit_votes_key
      primary key (workspace_id, day, verdict, site, operator, network))`,
    `create table visitor_bits (
      workspace_id {text} not null, slot integer not null, bits {bytes} not null,
      constraint visitor_bits_key primary key (workspace_id, slot))`,
    `alter table unsettled_days add column state {text} not null default 'written'`,
    'drop index hits_by_address_group',
    'alter table hits drop column address_group',
    'alter table hits add column network {text}',
    `update hits set overruled_by = null where overruled_by = 'many_operators'`,
    `update hits set overruled_by = 'site_unproven' where overruled_by = 'none_verified'`,
    `update hits set verification = 'unverified', overruled_by = 'site_unproven'
      where verification = 'spoofed' and (evidence like '{"reason":"not_in_list"%'
        or evidence like '{"reason":"wrong_host_name"%')`,
  ),
  // 25: the text that an engine's page writes around its answers, as a person has said.
  statements(`create table page_texts (
    workspace_id {text} not null, id {text} not null, engine {text} not null,
    place {text} not null, text {text} not null,
    constraint page_texts_key primary key (workspace_id, id))`),
  // 26: an ingest counts its own hits alone, and leaves those to settle in a table. Days that an older
  // version has marked are counted again from all their hits.
  statements(
    `create table unsettled_hits (
      workspace_id {text} not null, day integer not null, id {text} not null,
      constraint unsettled_hits_key primary key (workspace_id, day, id)) {clustered}`,
    'alter table unsettled_days add column marks integer not null default 0',
    `update unsettled_days set state = 'written'`,
  ),
  // 27: the language and market of a workspace, and when it was archived.
  statements(
    'alter table workspaces add column locale {text}',
    'alter table workspaces add column archived_at {text}',
  ),
  // 28: which paths ordinary visitors got, and which refused them. Older logs have none until they are
  // read again.
  statements(`create table path_bits (
    workspace_id {text} not null, slot integer not null, bits {bytes} not null,
    constraint path_bits_key primary key (workspace_id, slot))`),
  // 29: a row for each page instead of one for each page, day and bot. `fillCounts` fills it.
  statements(
    'drop table hit_page_totals',
    'drop table hit_pages',
    `create table hit_pages (
      workspace_id {text} not null, page_hash {text} not null, host {text} not null,
      path {text} not null, first_at {text} not null, last_at {text} not null,
      verified bigint not null, spoofed bigint not null, unverified bigint not null,
      ok bigint not null, redirected bigint not null, refused bigint not null,
      failed bigint not null, verified_at {text},
      constraint hit_pages_key primary key (workspace_id, page_hash)) {clustered}`,
  ),
  // 30: who is to fix an action, and what people have noted about it.
  statements(
    'alter table actions add column assigned_to {text}',
    'alter table actions add column note {text}',
  ),
  // 31: the days of stored rows, for clients that follow changes: as if all had just been written.
  async (db, dialect) => {
    const token = randomBytes(12).toString('base64url');
    await statements(
      `create table change_days (
        workspace_id {text} not null, kind {text} not null, date {text} not null,
        number bigint not null, constraint change_days_key primary key (workspace_id, kind, date))`,
      'create index change_days_by_number on change_days (workspace_id, number, kind, date)',
      `create table change_numbers (
        workspace_id {text} not null, number bigint not null, token {text} not null,
        constraint change_numbers_key primary key (workspace_id, number))`,
      ...[
        ['answers', 'runs', 'run_at'],
        ['detections', 'runs', 'run_at'],
        ['scores', 'scores', 'date'],
        ['hits', 'hits', 'hit_at'],
      ].map(
        ([kind, table, moment]) => `insert into change_days (workspace_id, kind, date, number)
          select distinct workspace_id, '${kind}', substr(${moment}, 1, 10), 1 from ${table}`,
      ),
      `insert into change_numbers (workspace_id, number, token)
        select distinct workspace_id, 1, '${token}' from change_days`,
    )(db, dialect);
  },
  // 32: what robots.txt says of a request with its query. Hits of before have none.
  statements('alter table hits add column robots_outcomes {text}'),
  // 33: the index of hits by time has no ids, which were a third of its bytes.
  statements('drop index hits_by_time', 'create index hits_by_time on hits (workspace_id, hit_at)'),
  // 34: what became of each bot's genuine requests, by day. `fillCounts` fills the columns.
  statements(
    ...['genuine_refused', 'limited', 'charged', 'broken', 'proxied'].map(
      (name) => `alter table hit_days add column ${name} bigint not null default 0`,
    ),
    'alter table hit_days add column read_at {text}',
  ),
  // 35: the kinds of sites that people have set.
  statements(`create table source_kinds (
    workspace_id {text} not null, site {text} not null, kind {text} not null,
    constraint source_kinds_key primary key (workspace_id, site))`),
  // 36: tags and topics of prompts.
  statements(
    `create table prompt_tags (
      workspace_id {text} not null, prompt_id {text} not null, tag {text} not null,
      is_topic boolean not null,
      constraint prompt_tags_key primary key (workspace_id, prompt_id, tag))`,
    'create unique index prompt_tags_topic on prompt_tags (workspace_id, prompt_id) where is_topic',
    `create table tags (
      workspace_id {text} not null, tag {text} not null, outside_market boolean not null,
      constraint tags_key primary key (workspace_id, tag))`,
  ),
  // 37: long texts of answers are packed in an embedded database.
  async (db, dialect) => {
    if (dialect === 'postgres') return;
    for (let last: number | undefined = 0; last !== undefined;) {
      const { rows } = await sql<{ id: number; answer: string; sources: string }>`
        select rowid as id, answer, sources from answers
        where rowid > ${last} order by rowid limit 500`.execute(db);
      for (const { id, ...texts } of rows) {
        const [answer, sources] = [packText(texts.answer), packText(texts.sources)];
        if (answer === texts.answer && sources === texts.sources) continue;
        await sql`update answers set answer = ${answer}, sources = ${sources} where rowid = ${id}`.execute(
          db,
        );
      }
      last = rows.at(-1)?.id;
    }
  },
  // 38: what engines searched for.
  statements('alter table answers add column queries {text}'),
  // 39: whether the engine of a run searched.
  statements(
    'alter table runs add column searched boolean',
    `update runs set searched = (answers.queries <> '[]') from answers
      where answers.workspace_id = runs.workspace_id and answers.run_id = runs.id
      and answers.queries is not null`,
  ),
  // 40: reports as they were published, and whether each month is.
  statements(
    'alter table workspaces add column published_until {text}',
    `create table published_reports (
      workspace_id {text} not null, id {text} not null, published_at {text} not null,
      sha256 {text} not null, body {text} not null,
      constraint published_reports_key primary key (workspace_id, id))`,
  ),
  // 41: how answers present subjects, and a person's labels.
  statements(
    `create table stances (
      workspace_id {text} not null, run_id {text} not null, subject_id {text} not null,
      stance {text}, purpose {text}, quote {text}, judge {text} not null, model {text},
      version double precision not null, by_rule boolean not null, judged_at {text} not null,
      sentiment {text}, constraint stances_key primary key (workspace_id, run_id, subject_id))`,
    'create index stances_by_time on stances (workspace_id, judged_at desc, run_id)',
    `create table stance_labels (
      workspace_id {text} not null, run_id {text} not null, subject_id {text} not null,
      stance {text} not null, labelled_at {text} not null, labelled_by {text},
      constraint stance_labels_key primary key (workspace_id, run_id, subject_id))`,
  ),
];
