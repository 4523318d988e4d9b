-- The schema of a database of version 5, as SQLite stored it.
CREATE TABLE installation (id text not null);
CREATE TABLE "paces" ("name" text not null, "timeout_ms" double precision not null, "gap_ms" double precision not null, "next_ms" double precision not null, "wait_until_ms" double precision not null, "faults" double precision not null, "off_reason" text, "off_at" text, "fault" text, "bound_micros" double precision, constraint "paces_key" primary key ("name"));
CREATE TABLE "allowances" ("workspace_id" text not null, "day_micros" double precision not null, "month_micros" double precision not null, "sweeps" double precision not null, "day_cap_micros" double precision, "month_cap_micros" double precision, constraint "allowances_key" primary key ("workspace_id"));
CREATE TABLE "budgets" ("workspace_id" text not null, "period" text not null, "spent_micros" double precision not null, "held_micros" double precision not null, constraint "budgets_key" primary key ("workspace_id", "period"));
CREATE TABLE "readings" ("workspace_id" text not null, "id" text not null, "prompt_id" text not null, "engine" text not null, "day" text not null, "due_at" text not null, "state" text not null, "sweep" double precision not null, "attempts" double precision not null, "claim" text, "sent_at" text, "lease_until" text, "asked" text, "locale" text, "kind" text, "cohort" text, "cost_basis" text, "fault" text, "request_id" text, "model" text, "outcome" text, "handed_at" text, "bound_micros" double precision, "cost_micros" double precision, "searches" double precision, constraint "readings_key" primary key ("workspace_id", "id"));
CREATE INDEX "readings_by_state" on "readings" ("workspace_id", "state", "engine", "due_at");
CREATE TABLE "bodies" ("workspace_id" text not null, "reading_id" text not null, "status" double precision not null, "request" blob not null, "response" blob not null, "earlier" blob, constraint "bodies_key" primary key ("workspace_id", "reading_id"));
CREATE TABLE "operator_caps" ("scope" text not null, "day_micros" double precision, "month_micros" double precision, "open_max" double precision, constraint "operator_caps_key" primary key ("scope"));
CREATE TABLE "operator_budgets" ("scope" text not null, "period" text not null, "spent_micros" double precision not null, "held_micros" double precision not null, constraint "operator_budgets_key" primary key ("scope", "period"));
CREATE INDEX "readings_by_day" on "readings" ("workspace_id", "day", "due_at");
CREATE TABLE "engine_slots" ("engine" text not null, "slot" double precision not null, "claim" text not null, "lease_until" text not null, constraint "engine_slots_key" primary key ("engine", "slot"));
pragma application_id = 0x4f564844;
pragma user_version = 5;
