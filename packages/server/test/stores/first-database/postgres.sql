-- What the migrations up to data 21, access 9, ledger 5 ran on an empty database.
create table "workspaces" ("id" text collate "C" primary key, "slug" text collate "C" not null unique, "name" text collate "C" not null, "created_at" text collate "C" not null);
create table "revisions" ("workspace_id" text collate "C" primary key, "revision" text collate "C" not null);
create table "subjects" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "subject_type" text collate "C" not null, "name" text collate "C" not null, "created_at" text collate "C" not null, "archived_at" text collate "C", constraint "subjects_key" primary key ("workspace_id", "id"));
create table "subject_aliases" ("workspace_id" text collate "C" not null, "folded" text collate "C" not null, "subject_id" text collate "C" not null, "alias" text collate "C" not null, "match" text collate "C" not null, constraint "subject_aliases_key" primary key ("workspace_id", "folded"));
create table "subject_domains" ("workspace_id" text collate "C" not null, "domain" text collate "C" not null, "subject_id" text collate "C" not null, constraint "subject_domains_key" primary key ("workspace_id", "domain"));
create table "runs" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "prompt_id" text collate "C", "engine" text collate "C" not null, "run_at" text collate "C" not null, constraint "runs_key" primary key ("workspace_id", "id"));
create index "runs_by_time" on "runs" ("workspace_id", "run_at" desc, "id");
create index "runs_by_prompt" on "runs" ("workspace_id", "prompt_id", "run_at" desc, "id");
create table "detections" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "run_id" text collate "C" not null, "subject_type" text collate "C" not null, "subject_id" text collate "C", "cited" boolean not null, "position" bigint, "rank" bigint, "sentiment" text collate "C", constraint "detections_key" primary key ("workspace_id", "id"));
create unique index "detections_by_run" on "detections" ("workspace_id", "run_id", "subject_type", "subject_id");
create table "prompts" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "text" text collate "C" not null, "language" text collate "C" not null, "locale" text collate "C" not null, "active" boolean not null, "created_at" text collate "C" not null, constraint "prompts_key" primary key ("workspace_id", "id"));
create index "prompts_by_time" on "prompts" ("workspace_id", "created_at" desc, "id");
create table "scores" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "date" text collate "C" not null, "engine" text collate "C" not null, "citations" bigint not null, "total_runs" bigint not null, "sov" double precision not null, "origin" text collate "C" not null);
create unique index "scores_by_day" on "scores" ("workspace_id", "date" desc, "engine");
create table "actions" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "prompt_id" text collate "C", "recommendation" text collate "C" not null, "priority" text collate "C" not null, "status" text collate "C" not null, "impact_score" double precision, "sov_baseline" double precision, "sov_result" double precision, "created_at" text collate "C" not null, constraint "actions_key" primary key ("workspace_id", "id"));
create table "hits" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "bot_name" text collate "C" not null, "bot_company" text collate "C" not null, "category" text collate "C" not null, "path" text collate "C" not null, "method" text collate "C" not null, "status" integer, "verification" text collate "C" not null, "hit_at" text collate "C" not null, constraint "hits_key" primary key ("workspace_id", "id"));
create index "hits_by_time" on "hits" ("workspace_id", "hit_at", "id" desc);
alter table "hits" add column "host" text collate "C";
alter table "hits" add column "address" text collate "C";
alter table "hits" add column "address_group" text collate "C";
alter table "hits" add column "user_agent" text collate "C";
alter table "hits" add column "signature" text collate "C";
alter table "hits" add column "evidence" text collate "C";
create index "hits_by_address_group" on "hits" ("workspace_id", "address_group", "bot_company");
create table "crawler_settings" ("workspace_id" text collate "C" primary key, "secret" text collate "C" not null, "keep_addresses_days" integer not null);
create table "log_files" ("workspace_id" text collate "C" not null, "file_key" text collate "C" not null, "options_key" text collate "C" not null, "path" text collate "C" not null, "read_bytes" bigint not null, "head" text collate "C" not null, "tail" text collate "C" not null, "directive" text collate "C", "provisional_id" text collate "C", "torn" text collate "C", "updated_at" text collate "C" not null, constraint "log_files_key" primary key ("workspace_id", "file_key", "options_key"));
create table "log_samples" ("workspace_id" text collate "C" primary key, "lines" text collate "C" not null);
create table "workspace_bots" ("workspace_id" text collate "C" not null, "folded" text collate "C" not null, "bot" text collate "C" not null, constraint "workspace_bots_key" primary key ("workspace_id", "folded"));
create table "operator_files" ("file_id" text collate "C" not null, "content_hash" text collate "C" not null, "first_at" text collate "C" not null, "last_at" text collate "C" not null, "content" text collate "C" not null, constraint "operator_files_key" primary key ("file_id", "content_hash", "first_at"));
create table "operator_checks" ("file_id" text collate "C" primary key, "url" text collate "C" not null, "etag" text collate "C", "last_modified" text collate "C", "content_hash" text collate "C", "checked_at" text collate "C" not null, "problem" text collate "C");
create table "answers" ("workspace_id" text collate "C" not null, "run_id" text collate "C" not null, "asked" text collate "C" not null, "answer" text collate "C" not null, "sources" text collate "C" not null, "sites" text collate "C" not null, constraint "answers_key" primary key ("workspace_id", "run_id"));
create table "action_changes" ("workspace_id" text collate "C" not null, "action_id" text collate "C" not null, "place" integer not null, "status" text collate "C" not null, "changed_at" text collate "C" not null, constraint "action_changes_key" primary key ("workspace_id", "action_id", "place"));
alter table "runs" add column "outcome" text collate "C";
alter table "runs" add column "model" text collate "C";
alter table "runs" add column "method" text collate "C";
alter table "runs" add column "branded" boolean;
alter table "detections" add column "alias" text collate "C";
alter table "detections" add column "sentence" text collate "C";
alter table "detections" add column "url" text collate "C";
alter table "actions" add column "kind" text collate "C";
alter table "actions" add column "parts" text collate "C";
alter table "runs" add column "names_competitor" boolean;
create index "actions_by_impact" on "actions" ("workspace_id", impact_score desc nulls last, "created_at" desc, "id", "status");
create table "subject_paths" ("workspace_id" text collate "C" not null, "path" text collate "C" not null, "subject_id" text collate "C" not null, constraint "subject_paths_key" primary key ("workspace_id", "path"));
drop table "log_samples";
alter table "log_files" drop column "provisional_id";
alter table "log_files" drop column "torn";
alter table "log_files" drop column "head";
alter table "log_files" rename column "tail" to "fingerprint";
alter table "operator_checks" drop column "etag";
alter table "operator_checks" drop column "last_modified";
alter table "operator_checks" drop column "content_hash";
alter table "crawler_settings" add column "waiting_since" text collate "C";
create table "unsettled_days" ("workspace_id" text collate "C" not null, "day" integer not null, constraint "unsettled_days_key" primary key ("workspace_id", "day"));
create table "robots_files" ("workspace_id" text collate "C" not null, "host" text collate "C" not null, "from_at" text collate "C" not null, "status" integer, "content" text collate "C" not null, constraint "robots_files_key" primary key ("workspace_id", "host", "from_at"));
create table "referrals" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "date" text collate "C" not null, "host" text collate "C", "path" text collate "C" not null, "engine" text collate "C" not null, constraint "referrals_key" primary key ("workspace_id", "id"));
create index "referrals_by_date" on "referrals" ("workspace_id", "date");
alter table "runs" add column "cohort" text collate "C";
alter table "runs" add column "judged_by" text collate "C";
create table "rollup_states" ("workspace_id" text collate "C" not null, "version" integer not null, constraint "rollup_states_key" primary key ("workspace_id"));
create table "subject_sets" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "subjects" text collate "C" not null, constraint "subject_sets_key" primary key ("workspace_id", "id"));
create table "run_counts" ("workspace_id" text collate "C" not null, "date" text collate "C" not null, "engine" text collate "C" not null, "cohort" text collate "C" default '' not null, "judged_by" text collate "C" default '' not null, "counts" text collate "C" not null, constraint "run_counts_key" primary key ("workspace_id", "date", "engine", "cohort", "judged_by"));
create table "source_counts" ("workspace_id" text collate "C" not null, "date" text collate "C" not null, "engine" text collate "C" not null, "counts" text collate "C" not null, constraint "source_counts_key" primary key ("workspace_id", "date", "engine"));
create table "hit_days" ("workspace_id" text collate "C" not null, "date" text collate "C" not null, "host_hash" text collate "C" not null, "bot_hash" text collate "C" not null, "host" text collate "C" not null, "bot_name" text collate "C" not null, "bot_company" text collate "C" not null, "category" text collate "C" not null, "first_at" text collate "C" not null, "last_at" text collate "C" not null, "verified" bigint not null, "spoofed" bigint not null, "unverified" bigint not null, "ok" bigint not null, "redirected" bigint not null, "refused" bigint not null, "failed" bigint not null, "verified_at" text collate "C", constraint "hit_days_key" primary key ("workspace_id", "date", "host_hash", "bot_hash"));
create table "hit_pages" ("workspace_id" text collate "C" not null, "page_hash" text collate "C" not null, "date" text collate "C" not null, "bot_hash" text collate "C" not null, "host" text collate "C" not null, "bot_name" text collate "C" not null, "bot_company" text collate "C" not null, "category" text collate "C" not null, "first_at" text collate "C" not null, "last_at" text collate "C" not null, "path" text collate "C" not null, "verified" bigint not null, "spoofed" bigint not null, "unverified" bigint not null, "ok" bigint not null, "redirected" bigint not null, "refused" bigint not null, "failed" bigint not null, "verified_at" text collate "C", constraint "hit_pages_key" primary key ("workspace_id", "page_hash", "date", "bot_hash"));
create table "imports" ("workspace_id" text collate "C" not null, "id" integer not null, "kind" text collate "C" not null, "file" text collate "C" not null, "content_hash" text collate "C" not null, "imported_at" text collate "C" not null, "imported_by" text collate "C", "rows_new" bigint not null, "rows_changed" bigint not null, "rows_unchanged" bigint not null, "parents_met" bigint not null, "reverted_at" text collate "C", "reverted_by" text collate "C", constraint "imports_key" primary key ("workspace_id", "id"));
alter table "prompts" add column "import_id" integer;
alter table "prompts" add column "later_import_id" integer;
alter table "runs" add column "import_id" integer;
alter table "runs" add column "later_import_id" integer;
alter table "detections" add column "import_id" integer;
alter table "detections" add column "later_import_id" integer;
alter table "scores" add column "import_id" integer;
alter table "scores" add column "later_import_id" integer;
alter table "actions" add column "import_id" integer;
alter table "actions" add column "later_import_id" integer;
alter table "hits" add column "import_id" integer;
alter table "hits" add column "later_import_id" integer;
alter table "scores" add column "replaced" text collate "C";
alter table "prompts" add column "collect" boolean default false not null;
create table "hit_page_totals" ("workspace_id" text collate "C" not null, "page_hash" text collate "C" not null, "host" text collate "C" not null, "path" text collate "C" not null, "verified" bigint not null, "spoofed" bigint not null, "unverified" bigint not null, "ok" bigint not null, "redirected" bigint not null, "refused" bigint not null, "failed" bigint not null, constraint "hit_page_totals_key" primary key ("workspace_id", "page_hash"));
alter table "action_changes" add column "before" text collate "C";
alter table "action_changes" add column "changed_by" text collate "C";
create table "dismissed_names" ("workspace_id" text collate "C" not null, "folded" text collate "C" not null, "name" text collate "C" not null, "dismissed_at" text collate "C" not null, "dismissed_by" text collate "C", constraint "dismissed_names_key" primary key ("workspace_id", "folded"));
create index hits_unread on hits (workspace_id, hit_at) where status >= 400;
alter table "source_counts" drop column "counts";
alter table "source_counts" add column "runs" text collate "C" default '' not null;
alter table "source_counts" add column "linked" text collate "C" default '' not null;
alter table "source_counts" add column "sites" text collate "C" default '' not null;
alter table "source_counts" add column "prompts" text collate "C" default '' not null;
alter table "source_counts" add column "pages" text collate "C" default '' not null;
alter table "run_counts" drop column "counts";
alter table "run_counts" add column "counts" bytea default '' not null;
alter table "source_counts" drop column "prompts";
alter table "source_counts" drop column "pages";
alter table "source_counts" add column "competitors" text collate "C" default '' not null;
alter table "source_counts" add column "prompts" text collate "C" default '' not null;
alter table "source_counts" add column "pages" text collate "C" default '' not null;
alter table "hits" add column "overruled_by" text collate "C";
create table "keys" ("id" text collate "C" primary key, "workspace_id" text collate "C" not null, "name" text collate "C" not null, "hash" text collate "C" not null unique, "last_four" text collate "C" not null, "created_at" text collate "C" not null, "expires_at" text collate "C", "revoked_at" text collate "C", "last_used_at" text collate "C");
create index "keys_by_workspace" on "keys" ("workspace_id", "created_at");
create table "quota_log" ("workspace_id" text collate "C" not null, "endpoint" text collate "C" not null, "log" bigint[] not null, "is_admitted" boolean not null, "at" bigint not null, constraint "quota_log_key" primary key ("workspace_id", "endpoint"));
create function overheard_quota_at(log bigint[], at bigint, slack_ms bigint)
    returns bigint language sql immutable parallel safe as $$
      select case
        when log[cardinality(log)] between at and at + slack_ms then log[cardinality(log)]
        else at
      end
    $$;
create function overheard_quota_kept(log bigint[], at bigint, window_ms bigint)
    returns bigint[] language sql immutable parallel safe as $$
      select coalesce(array_agg(least(entry, at) order by place), '{}')
      from unnest(log) with ordinality as entries(entry, place)
      where least(entry, at) > at - window_ms
    $$;
create function overheard_quota_is_admitted(log bigint[], at bigint, window_ms bigint, quota bigint)
    returns boolean language sql immutable parallel safe as $$
      select cardinality(overheard_quota_kept(log, at, window_ms)) < quota
    $$;
create function overheard_quota_logged(log bigint[], at bigint, window_ms bigint, quota bigint)
    returns bigint[] language sql immutable parallel safe as $$
      select case when cardinality(kept) < quota then kept || at else kept end
      from (select overheard_quota_kept(log, at, window_ms) as kept) as window_
    $$;
create table "users" ("id" text collate "C" not null, "email" text collate "C" not null, "email_folded" text collate "C" not null, "name" text collate "C" not null, "created_at" text collate "C" not null, "theme" text collate "C" not null, "password" text collate "C", "disabled_at" text collate "C", "is_operator" boolean not null, "has_single_keys" boolean not null, constraint "users_key" primary key ("id"), constraint "users_email" unique ("email_folded"));
create table "sessions" ("id" text collate "C" not null, "hash" text collate "C" not null, "user_id" text collate "C" not null, "created_at" text collate "C" not null, "seen_at" text collate "C" not null, "browser" text collate "C" not null, "must_renew" boolean not null, constraint "sessions_key" primary key ("id"), constraint "sessions_hash" unique ("hash"));
create index "sessions_by_user" on "sessions" ("user_id");
create table "devices" ("hash" text collate "C" not null, "user_id" text collate "C" not null, "created_at" text collate "C" not null, constraint "devices_key" primary key ("hash"));
create table "links" ("hash" text collate "C" not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null, "user_id" text collate "C", "used_at" text collate "C", constraint "links_key" primary key ("hash"));
create table "members" ("workspace_id" text collate "C" not null, "user_id" text collate "C" not null, "role" text collate "C" not null, "created_at" text collate "C" not null, constraint "members_key" primary key ("workspace_id", "user_id"));
create table "invitations" ("id" text collate "C" not null, "hash" text collate "C" not null, "workspace_id" text collate "C" not null, "role" text collate "C" not null, "created_by" text collate "C" not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null, "email" text collate "C", "used_at" text collate "C", "used_by" text collate "C", constraint "invitations_key" primary key ("id"), constraint "invitations_hash" unique ("hash"));
create table "events" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "at" text collate "C" not null, "kind" text collate "C" not null, "facts" text collate "C" not null, "user_id" text collate "C", constraint "events_key" primary key ("workspace_id", "id"));
alter table "keys" add column "created_by" text collate "C";
alter table "keys" add column "revoked_by" text collate "C";
alter table "keys" add column "replaced_by" text collate "C";
create table "jobs" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "kind" text collate "C" not null, "state" text collate "C" not null, "work" text collate "C" not null, "created_at" text collate "C" not null, "beat_at" text collate "C" not null, "owner" text collate "C", "user_id" text collate "C", "ended_at" text collate "C", "progress" text collate "C", "outcome" text collate "C", "attempts" integer not null, constraint "jobs_key" primary key ("workspace_id", "id"));
create unique index "jobs_active" on "jobs" ("workspace_id", "kind") where state in ('waiting', 'running');
create table "engines" ("name" text collate "C" not null, "kind" text collate "C" not null, "base_url" text collate "C" not null, "model" text collate "C" not null, "key_variable" text collate "C" not null, "has_search" boolean not null, "searches_max" integer not null, "output_tokens_max" integer not null, "created_at" text collate "C" not null, "disabled_at" text collate "C", "terms_accepted_by" text collate "C", "terms_accepted_at" text collate "C", constraint "engines_key" primary key ("name"));
create table "report_links" ("id" text collate "C" not null, "workspace_id" text collate "C" not null, "hash" text collate "C" not null, "name" text collate "C" not null, "page" text collate "C" not null, "view" text collate "C" not null, "created_by" text collate "C" not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null, "has_texts" boolean not null, "opened" integer not null, "opened_at" text collate "C", "revoked_at" text collate "C", "revoked_by" text collate "C", constraint "report_links_key" primary key ("id"), constraint "report_links_hash" unique ("hash"));
create table "visits" ("workspace_id" text collate "C" not null, "user_id" text collate "C" not null, "day" text collate "C" not null, "day_before" text collate "C", constraint "visits_key" primary key ("workspace_id", "user_id"));
alter table "users" add column "keys_off" text collate "C" default '' not null;
alter table "users" drop column "has_single_keys";
create table "paces" ("name" text collate "C" not null, "timeout_ms" double precision not null, "gap_ms" double precision not null, "next_ms" double precision not null, "wait_until_ms" double precision not null, "faults" double precision not null, "off_reason" text collate "C", "off_at" text collate "C", "fault" text collate "C", "bound_micros" double precision, constraint "paces_key" primary key ("name"));
create table "allowances" ("workspace_id" text collate "C" not null, "day_micros" double precision not null, "month_micros" double precision not null, "sweeps" double precision not null, constraint "allowances_key" primary key ("workspace_id"));
create table "budgets" ("workspace_id" text collate "C" not null, "period" text collate "C" not null, "spent_micros" double precision not null, "held_micros" double precision not null, constraint "budgets_key" primary key ("workspace_id", "period"));
create table "readings" ("workspace_id" text collate "C" not null, "id" text collate "C" not null, "prompt_id" text collate "C" not null, "engine" text collate "C" not null, "day" text collate "C" not null, "due_at" text collate "C" not null, "state" text collate "C" not null, "sweep" double precision not null, "attempts" double precision not null, "claim" text collate "C", "sent_at" text collate "C", "lease_until" text collate "C", "asked" text collate "C", "locale" text collate "C", "kind" text collate "C", "cohort" text collate "C", "cost_basis" text collate "C", "fault" text collate "C", "request_id" text collate "C", "model" text collate "C", "outcome" text collate "C", "handed_at" text collate "C", "bound_micros" double precision, "cost_micros" double precision, "searches" double precision, constraint "readings_key" primary key ("workspace_id", "id"));
create index "readings_by_state" on "readings" ("workspace_id", "state", "engine", "due_at");
create table "bodies" ("workspace_id" text collate "C" not null, "reading_id" text collate "C" not null, "status" double precision not null, "request" bytea not null, "response" bytea not null, constraint "bodies_key" primary key ("workspace_id", "reading_id"));
create table "operator_caps" ("scope" text collate "C" not null, "day_micros" double precision, "month_micros" double precision, "open_max" double precision, constraint "operator_caps_key" primary key ("scope"));
create table "operator_budgets" ("scope" text collate "C" not null, "period" text collate "C" not null, "spent_micros" double precision not null, "held_micros" double precision not null, constraint "operator_budgets_key" primary key ("scope", "period"));
alter table "bodies" add column "earlier" bytea;
alter table "allowances" add column "day_cap_micros" double precision;
alter table "allowances" add column "month_cap_micros" double precision;
create index "readings_by_day" on "readings" ("workspace_id", "day", "due_at");
create table "engine_slots" ("engine" text collate "C" not null, "slot" double precision not null, "claim" text collate "C" not null, "lease_until" text collate "C" not null, constraint "engine_slots_key" primary key ("engine", "slot"));
create table schema_versions (part text primary key, version integer not null);
insert into schema_versions (part, version) values ('data', 21);
insert into schema_versions (part, version) values ('access', 9);
insert into schema_versions (part, version) values ('ledger', 5);
