import { statements } from './migration.ts';
import type { Migration } from './migration.ts';

/** The migrations of what must never wait for an import, from version 10 on. */
export const accessMigrations: readonly Migration[] = [
  // 10: keys of engines that an operator has pasted, encrypted, and their last characters.
  statements(
    'alter table engines add column key_sealed {text}',
    'alter table engines add column key_tail {text}',
  ),
  // 11: the logo that a workspace's report links show.
  statements(`create table logos (workspace_id {text} not null, png {bytes} not null,
    constraint logos_key primary key (workspace_id))`),
  // 12: sign-in of assistants: clients, grants, codes and tokens.
  statements(
    `create table oauth_clients (
      id {text} not null, name {text} not null, redirects {text} not null,
      created_at {text} not null, used_at {text}, constraint oauth_clients_key primary key (id))`,
    `create table oauth_grants (
      id {text} not null, workspace_id {text} not null, user_id {text} not null,
      client_id {text} not null, client_name {text} not null, host {text} not null,
      resource {text} not null, created_at {text} not null, used_at {text} not null,
      expires_at {text} not null, constraint oauth_grants_key primary key (id))`,
    `create table oauth_codes (
      hash {text} not null, workspace_id {text} not null, grant_id {text} not null,
      redirect_uri {text} not null, challenge {text} not null, expires_at {text} not null,
      used_at {text}, constraint oauth_codes_key primary key (hash))`,
    `create table oauth_tokens (
      hash {text} not null, workspace_id {text} not null, grant_id {text} not null,
      kind {text} not null, expires_at {text} not null, replaced_at {text},
      constraint oauth_tokens_key primary key (hash))`,
    'create index oauth_grants_by_workspace on oauth_grants (workspace_id, created_at)',
    'create unique index oauth_grants_by_user on oauth_grants (user_id, workspace_id, client_id, resource)',
    'create index oauth_tokens_by_grant on oauth_tokens (grant_id, expires_at)',
  ),
  // 13: webhooks and mail addresses, and the messages that are sent to them.
  statements(
    `create table message_times (
      workspace_id {text} not null, weekday integer not null, hour integer not null,
      zone {text} not null, quiet_from integer, quiet_to integer, next_at {text} not null,
      check_at {text} not null, constraint message_times_key primary key (workspace_id))`,
    `create table recipients (
      workspace_id {text} not null, id {text} not null, address {text} not null,
      secret {text} not null, created_by {text}, created_at {text} not null,
      constraint recipients_key primary key (workspace_id, id))`,
    `create table messages (
      workspace_id {text} not null, id {text} not null, kind {text} not null,
      created_at {text} not null, body {text} not null,
      constraint messages_key primary key (workspace_id, id))`,
    `create table deliveries (
      workspace_id {text} not null, message_id {text} not null, recipient_id {text} not null,
      attempts integer not null, next_at {text}, sent_at {text}, fault {text},
      constraint deliveries_key primary key (workspace_id, message_id, recipient_id))`,
    `create table alerts (
      workspace_id {text} not null, kind {text} not null, subject {text} not null,
      gone_at {text}, constraint alerts_key primary key (workspace_id, kind, subject))`,
    'create index deliveries_due on deliveries (next_at) where next_at is not null',
  ),
  // 14: recipients that are told what concerns the operator, too.
  statements('alter table recipients add column for_operator boolean not null default false'),
  // 15: addresses to which hosts send the lines of their logs.
  statements(
    `create table receivers (
      id {text} primary key, workspace_id {text} not null, host {text} not null, site {text},
      format {text} not null, hash {text} not null, last_four {text} not null, secret {text},
      created_at {text} not null, created_by {text}, ended_at {text}, received_at {text},
      lines bigint not null, hits bigint not null, skipped bigint not null,
      skipped_at {text}, skips {text}, constraint receivers_hash_key unique (hash))`,
    'create index receivers_by_workspace on receivers (workspace_id, created_at)',
  ),
  // 16: the tag of the prompts that messages are about.
  statements('alter table message_times add column tag {text}'),
  // 17: engines that must search before each answer.
  statements('alter table engines add column search_required boolean not null default false'),
];
