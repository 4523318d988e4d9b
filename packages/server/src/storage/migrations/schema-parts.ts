import { answerQueries } from './data-0038-answer-queries.ts';
import { allTables } from '../schema.ts';
import { countedRange } from './data-0022-counted-range.ts';
import { ownSites } from './data-0023-own-sites.ts';
import { surroundingProof } from './data-0024-surrounding-proof.ts';
import { pageTexts } from './data-0025-page-texts.ts';
import { unsettledHits } from './data-0026-unsettled-hits.ts';
import { workspaceState } from './data-0027-workspace-state.ts';
import { pathBits } from './data-0028-path-bits.ts';
import { pageCounts } from './data-0029-page-counts.ts';
import { assignedActions } from './data-0030-assigned-actions.ts';
import { changeFeed } from './data-0031-changes.ts';
import { robotsOutcomes } from './data-0032-robots-outcomes.ts';
import { hitsByTime } from './data-0033-hits-by-time.ts';
import { botDayCounts } from './data-0034-bot-day-counts.ts';
import { sourceKinds } from './data-0035-source-kinds.ts';
import { promptTags } from './data-0036-prompt-tags.ts';
import { packedAnswers } from './data-0037-packed-answers.ts';
import { searchedRuns } from './data-0039-searched.ts';
import { publishedReports } from './data-0040-published-reports.ts';
import { stances } from './data-0041-stances.ts';
import { engineKeys } from './access-0010-engine-keys.ts';
import { logos } from './access-0011-logos.ts';
import { connectors } from './access-0012-connectors.ts';
import { messages } from './access-0013-messages.ts';
import { operatorRecipients } from './access-0014-operator-recipients.ts';
import { receivers } from './access-0015-receivers.ts';
import { messageTag } from './access-0016-message-tag.ts';
import { requiredSearch } from './access-0017-required-search.ts';
import { restores } from './ledger-0006-restores.ts';
import { testQuestions } from './ledger-0007-test-questions.ts';
import { listedCosts } from './ledger-0008-listed-costs.ts';
import { askingSwitch } from './ledger-0009-asking-switch.ts';
import { chosenEngines } from './ledger-0010-chosen-engines.ts';
import { judgements } from './ledger-0011-judgements.ts';
import type { SchemaPart } from './migration.ts';

/** The parts of a database, each with its migrations, oldest first. */
export const schemaParts = {
  /** Workspaces' data. */
  data: {
    tables: allTables.data,
    oldest: 21,
    migrations: [
      countedRange,
      ownSites,
      surroundingProof,
      pageTexts,
      unsettledHits,
      workspaceState,
      pathBits,
      pageCounts,
      assignedActions,
      changeFeed,
      robotsOutcomes,
      hitsByTime,
      botDayCounts,
      sourceKinds,
      promptTags,
      packedAnswers,
      answerQueries,
      searchedRuns,
      publishedReports,
      stances,
    ],
  },
  /** Keys, quota and people. */
  access: {
    tables: allTables.access,
    oldest: 9,
    migrations: [
      engineKeys,
      logos,
      connectors,
      messages,
      operatorRecipients,
      receivers,
      messageTag,
      requiredSearch,
    ],
  },
  /** Paid questions. */
  ledger: {
    tables: allTables.ledger,
    oldest: 5,
    migrations: [restores, testQuestions, listedCosts, askingSwitch, chosenEngines, judgements],
  },
} as const satisfies Readonly<Record<string, SchemaPart>>;
