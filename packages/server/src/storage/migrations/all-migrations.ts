import { first as firstAccess } from './access-0001-first.ts';
import { quotaTimes } from './access-0002-quota-times.ts';
import { people } from './access-0004-people.ts';
import { jobs } from './access-0005-jobs.ts';
import { engines } from './access-0006-engines.ts';
import { reportLinks } from './access-0008-report-links.ts';
import { visits } from './access-0009-visits.ts';
import { keysOff } from './access-0010-keys-off.ts';
import { first as firstData } from './data/data-0001-first.ts';
import { crawlers } from './data/data-0002-crawlers.ts';
import { answers } from './data/data-0003-answers.ts';
import { competitorPrompts } from './data/data-0004-competitor-prompts.ts';
import { actionsByImpact } from './data/data-0005-actions-by-impact.ts';
import { ownedPaths } from './data/data-0006-owned-paths.ts';
import { soberVerdicts } from './data/data-0008-sober-verdicts.ts';
import { unsettledDays } from './data/data-0009-unsettled-days.ts';
import { robots } from './data/data-0010-robots.ts';
import { referrals } from './data/data-0011-referrals.ts';
import { rollups } from './data/data-0012-rollups.ts';
import { imports } from './data/data-0013-imports.ts';
import { collectedPrompts } from './data/data-0014-collected-prompts.ts';
import { pageTotals } from './data/data-0015-page-totals.ts';
import { gapHistory } from './data/data-0016-gap-history.ts';
import { unreadHits } from './data/data-0017-unread-hits.ts';
import { sourcesByRun } from './data/data-0018-sources-by-run.ts';
import { countsInBytes } from './data/data-0019-counts-in-bytes.ts';
import { citedCompetitors } from './data/data-0020-cited-competitors.ts';
import { overruledBy } from './data/data-0021-overruled-by.ts';
import { countedRange } from './data/data-0022-counted-range.ts';
import { ownSites } from './data/data-0023-own-sites.ts';
import { surroundingProof } from './data/data-0024-surrounding-proof.ts';
import { installation } from './installation.ts';
import { ledger } from './ledger-0001-first.ts';
import { operatorCaps } from './ledger-0002-operator-caps.ts';
import { adminCaps } from './ledger-0003-admin-caps.ts';
import { engineSlots } from './ledger-0004-engine-slots.ts';
import { restores } from './ledger-0005-restores.ts';
import { testQuestions } from './ledger-0006-test-questions.ts';
import type { Migration } from './migration.ts';

/** The migrations of workspaces' data, oldest first. */
export const dataMigrations: readonly Migration[] = [
  firstData,
  crawlers,
  answers,
  competitorPrompts,
  actionsByImpact,
  ownedPaths,
  installation,
  soberVerdicts,
  unsettledDays,
  robots,
  referrals,
  rollups,
  imports,
  collectedPrompts,
  pageTotals,
  gapHistory,
  unreadHits,
  sourcesByRun,
  countsInBytes,
  citedCompetitors,
  overruledBy,
  countedRange,
  ownSites,
  surroundingProof,
];

/** The migrations of keys, quota and people, oldest first. */
export const accessMigrations: readonly Migration[] = [
  firstAccess,
  quotaTimes,
  installation,
  people,
  jobs,
  engines,
  reportLinks,
  visits,
  keysOff,
];

/** The migrations of the ledger of paid questions, oldest first. */
export const ledgerMigrations: readonly Migration[] = [
  installation,
  ledger,
  operatorCaps,
  adminCaps,
  engineSlots,
  restores,
  testQuestions,
];
