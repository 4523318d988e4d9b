-- The schema of a database of version 9, as SQLite stored it.
CREATE TABLE "keys" ("id" text primary key, "workspace_id" text not null, "name" text not null, "hash" text not null unique, "last_four" text not null, "created_at" text not null, "expires_at" text, "revoked_at" text, "last_used_at" text, "created_by" text, "revoked_by" text, "replaced_by" text);
CREATE INDEX "keys_by_workspace" on "keys" ("workspace_id", "created_at");
CREATE TABLE quota_log (
      workspace_id text not null,
      endpoint text not null,
      first integer not null,
      next integer not null,
      primary key (workspace_id, endpoint)
    ) without rowid;
CREATE TABLE quota_times (
      workspace_id text not null,
      endpoint text not null,
      place integer not null,
      at integer not null,
      primary key (workspace_id, endpoint, place)
    ) without rowid;
CREATE TRIGGER quota_log_removed after delete on quota_log begin
      delete from quota_times where workspace_id = old.workspace_id and endpoint = old.endpoint;
    end;
CREATE TABLE installation (id text not null);
CREATE TABLE "users" ("id" text not null, "email" text not null, "email_folded" text not null, "name" text not null, "created_at" text not null, "theme" text not null, "password" text, "disabled_at" text, "is_operator" boolean not null, "keys_off" text default '' not null, constraint "users_key" primary key ("id"), constraint "users_email" unique ("email_folded"));
CREATE TABLE "sessions" ("id" text not null, "hash" text not null, "user_id" text not null, "created_at" text not null, "seen_at" text not null, "browser" text not null, "must_renew" boolean not null, constraint "sessions_key" primary key ("id"), constraint "sessions_hash" unique ("hash"));
CREATE INDEX "sessions_by_user" on "sessions" ("user_id");
CREATE TABLE "devices" ("hash" text not null, "user_id" text not null, "created_at" text not null, constraint "devices_key" primary key ("hash"));
CREATE TABLE "links" ("hash" text not null, "created_at" text not null, "expires_at" text not null, "user_id" text, "used_at" text, constraint "links_key" primary key ("hash"));
CREATE TABLE "members" ("workspace_id" text not null, "user_id" text not null, "role" text not null, "created_at" text not null, constraint "members_key" primary key ("workspace_id", "user_id"));
CREATE TABLE "invitations" ("id" text not null, "hash" text not null, "workspace_id" text not null, "role" text not null, "created_by" text not null, "created_at" text not null, "expires_at" text not null, "email" text, "used_at" text, "used_by" text, constraint "invitations_key" primary key ("id"), constraint "invitations_hash" unique ("hash"));
CREATE TABLE "events" ("workspace_id" text not null, "id" text not null, "at" text not null, "kind" text not null, "facts" text not null, "user_id" text, constraint "events_key" primary key ("workspace_id", "id"));
CREATE TABLE "jobs" ("workspace_id" text not null, "id" text not null, "kind" text not null, "state" text not null, "work" text not null, "created_at" text not null, "beat_at" text not null, "owner" text, "user_id" text, "ended_at" text, "progress" text, "outcome" text, "attempts" integer not null, constraint "jobs_key" primary key ("workspace_id", "id"));
CREATE UNIQUE INDEX "jobs_active" on "jobs" ("workspace_id", "kind") where state in ('waiting', 'running');
CREATE TABLE "engines" ("name" text not null, "kind" text not null, "base_url" text not null, "model" text not null, "key_variable" text not null, "has_search" boolean not null, "searches_max" integer not null, "output_tokens_max" integer not null, "created_at" text not null, "disabled_at" text, "terms_accepted_by" text, "terms_accepted_at" text, constraint "engines_key" primary key ("name"));
CREATE TABLE "report_links" ("id" text not null, "workspace_id" text not null, "hash" text not null, "name" text not null, "page" text not null, "view" text not null, "created_by" text not null, "created_at" text not null, "expires_at" text not null, "has_texts" boolean not null, "opened" integer not null, "opened_at" text, "revoked_at" text, "revoked_by" text, constraint "report_links_key" primary key ("id"), constraint "report_links_hash" unique ("hash"));
CREATE TABLE "visits" ("workspace_id" text not null, "user_id" text not null, "day" text not null, "day_before" text, constraint "visits_key" primary key ("workspace_id", "user_id"));
pragma application_id = 0x4f564844;
pragma user_version = 9;
