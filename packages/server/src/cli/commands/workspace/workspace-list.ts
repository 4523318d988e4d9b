import { isRefusal } from '../../../refusals.ts';
import { readPortfolioRow } from '../../../reports/portfolio-row.ts';
import type { PortfolioRow } from '../../../reports/portfolio-row.ts';
import type { Store } from '../../../storage/store.ts';
import { changeWords, rateWords } from '../../../values/figure-words.ts';
import { dollars } from '../../../values/usd.ts';
import { readPortfolio } from '../../../web/pages/workspaces/portfolio.ts';
import type { PortfolioLine } from '../../../web/pages/workspaces/portfolio.ts';
import { listWorkspaces } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { defineStoreCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';

export const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the workspaces with how their brands are doing',
  description:
    'Lists the workspaces by slug: in how many answers of the last 28 days the brand is cited, the change against the 28 days before, open gaps, the last answer and crawler, what was spent this month, and what needs somebody. An archived workspace has no figures.',
  json: '{"workspaces":[{id, slug, name, created_at, locale, archived_at, brand, gaps, last_answer_at, last_crawl_at, prompts_on, money, problems}]}',
  examples: [
    'overheard workspace list',
    "overheard workspace list --json | jq -r '.workspaces[] | select(.problems != []) | .slug'",
  ],
  run: async ({ io, store }) => {
    const workspaces = await listWorkspaces(store.reader);
    const active = workspaces.filter(({ archived_at: at }) => at === null);
    const tools = { store, clock: io.clock, prices: [], readRows: readRowsOf(store) };
    const lines = await readPortfolio(tools, active);
    const lineOf = new Map(lines.map((line) => [line.workspace.id, line]));
    const listed = workspaces.map((workspace) => ({
      workspace,
      line: lineOf.get(workspace.id),
    }));
    const day = (at: string | null | undefined) => at?.slice(0, 10);
    const none = 'There is no workspace yet: make one with `overheard workspace create`.';
    return {
      json: { workspaces: listed.map(fieldsOf) },
      table: tableOf(listed, none, {
        SLUG: ({ workspace }) => workspace.slug,
        NAME: ({ workspace }) => workspace.name,
        CITED: ({ line }) => line?.row?.brand && rateWords(line.row.brand),
        CHANGE: ({ line }) =>
          line?.row?.brand && changeWords(line.change.change ?? null, line.change.verdict),
        GAPS: ({ line }) => line?.row?.gaps.open,
        'LAST ANSWER': ({ line }) => day(line?.row?.lastAnswerAt),
        'LAST CRAWLER': ({ line }) => day(line?.row?.lastCrawlAt),
        SPENT: ({ line }) => line?.money && dollars(line.money.spentUsd),
        STATE: stateWords,
      }),
    };
  },
});

function readRowsOf(store: Store) {
  return async (ids: readonly string[], period: { from: string; to: string }) => {
    const rows = new Map<string, PortfolioRow>();
    for (const workspaceId of ids) {
      const row = await inSnapshot({ store, workspaceId }, (source) =>
        readPortfolioRow(source, period),
      ).catch(unlessRemoved);
      if (row !== undefined) rows.set(workspaceId, row);
    }
    return rows;
  };
}

/** A workspace may be removed while others are read. */
function unlessRemoved(error: unknown): undefined {
  if (isRefusal(error) && error.code === 'workspace_removed') return;
  throw error;
}

interface Listed {
  readonly workspace: Workspace;
  readonly line: PortfolioLine | undefined;
}

function stateWords({ workspace, line }: Listed): string {
  if (workspace.archived_at !== null) return 'archived';
  const [problem, ...others] = (line?.problems ?? []).map(({ words }) => words);
  if (problem !== undefined) return [problem, ...others].join(', ');
  return line?.isNew === true ? 'setting up' : 'ok';
}

function fieldsOf({ workspace, line }: Listed) {
  const row = line?.row;
  const brand = row?.brand ?? null;
  return {
    ...workspace,
    brand: brand && { ...brand, rate_verdict: line?.change.verdict },
    gaps: row?.gaps ?? null,
    lastAnswerAt: row?.lastAnswerAt ?? null,
    lastCrawlAt: row?.lastCrawlAt ?? null,
    promptsOn: row?.promptsOn ?? null,
    money: line?.money ?? null,
    problems: (line?.problems ?? []).map(({ words }) => words),
  };
}
