import { statements } from './migration.ts';
import type { Migration } from './migration.ts';

/** The migrations of the ledger of paid questions, from version 6 on. */
export const ledgerMigrations: readonly Migration[] = [
  // 6: where the ledger is, and when it was last restored. A backup of an older version has a mark of
  // its engines instead.
  statements(
    `create table ledger_home (id {text} not null, home {text} not null, restored_at {text},
      constraint ledger_home_key primary key (id))`,
    `insert into ledger_home (id, home)
      select 'ledger', '[]' from paces where off_reason = 'restored' limit 1`,
  ),
  // 7: the open questions of `engine test`, whose money would stay held if their process died.
  statements(`create table test_questions (
    token {text} not null, engine {text} not null, day {text} not null,
    bound_micros double precision not null, lease_until {text} not null,
    constraint test_questions_key primary key (token))`),
  // 8: what an answer would cost by the price list, beside the cost that its engine reports.
  statements('alter table readings add column listed_micros double precision'),
  // 9: whether servers ask engines by themselves.
  statements('alter table ledger_home add column asks_since {text}'),
  // 10: which engines a workspace is asked on.
  statements('alter table allowances add column engines {text}'),
  // 11: paid questions about answers, and their budget.
  statements(
    `create table stance_budgets (
      workspace_id {text} not null, engine {text} not null, day_micros double precision not null,
      month_micros double precision not null, sample double precision, is_daily boolean not null,
      constraint stance_budgets_key primary key (workspace_id))`,
    `create table judgements (
      workspace_id {text} not null, id {text} not null, run_id {text} not null,
      engine {text} not null, day {text} not null, state {text} not null,
      attempts double precision not null, claim {text}, sent_at {text}, lease_until {text},
      asked {text} not null, cost_basis {text}, fault {text}, request_id {text}, model {text},
      handed_at {text}, bound_micros double precision, cost_micros double precision,
      constraint judgements_key primary key (workspace_id, id))`,
    'create index judgements_by_state on judgements (workspace_id, state, day)',
  ),
];
