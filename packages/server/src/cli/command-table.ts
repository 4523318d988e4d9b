import type { CommandMaker } from './define/define-command.ts';

/**
 * The commands, in the order in which the help lists them. Only the called command is loaded, so
 * that it starts sooner and does not load the libraries of the others.
 */
export const commandTable: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  serve: async () => (await import('./commands/service/serve.ts')).serveCommand,
  workspace: async () => (await import('./commands/workspaces/workspace.ts')).workspaceCommand,
  subject: async () => (await import('./commands/workspaces/subject.ts')).subjectCommand,
  key: async () => (await import('./commands/workspaces/key.ts')).keyCommand,
  user: async () => (await import('./commands/workspaces/user.ts')).userCommand,
  answers: async () => (await import('./commands/answers/answers.ts')).answersCommand,
  prompts: async () => (await import('./commands/answers/prompts.ts')).promptsCommand,
  report: async () => (await import('./commands/reports/report.ts')).reportCommand,
  shares: async () => (await import('./commands/reports/shares.ts')).sharesCommand,
  sources: async () => (await import('./commands/reports/sources.ts')).sourcesCommand,
  crawls: async () => (await import('./commands/reports/crawls.ts')).crawlsCommand,
  engine: async () => (await import('./commands/engines/engine.ts')).engineCommand,
  budget: async () => (await import('./commands/collect/budget.ts')).budgetCommand,
  collect: async () => (await import('./commands/collect/collect.ts')).collectCommand,
  scores: async () => (await import('./commands/answers/scores.ts')).scoresCommand,
  actions: async () => (await import('./commands/answers/actions.ts')).actionsCommand,
  hits: async () => (await import('./commands/crawlers/hits.ts')).hitsCommand,
  bots: async () => (await import('./commands/crawlers/bots.ts')).botsCommand,
  ranges: async () => (await import('./commands/crawlers/ranges.ts')).rangesCommand,
  robots: async () => (await import('./commands/crawlers/robots.ts')).robotsCommand,
  referrals: async () => (await import('./commands/crawlers/referrals.ts')).referralsCommand,
  prune: async () => (await import('./commands/service/prune.ts')).pruneCommand,
  import: async () => (await import('./commands/rows/import-rows.ts')).importCommand,
  imports: async () => (await import('./commands/rows/imports.ts')).importsCommand,
  export: async () => (await import('./commands/rows/export.ts')).exportCommand,
  backup: async () => (await import('./commands/service/backup.ts')).backupCommand,
  doctor: async () => (await import('./commands/service/doctor.ts')).doctorCommand,
  database: async () => (await import('./commands/service/database.ts')).databaseCommand,
  demo: async () => (await import('./commands/service/demo.ts')).demoCommand,
};
