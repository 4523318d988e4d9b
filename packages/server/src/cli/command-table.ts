import type { CommandMaker } from './define/define-command.ts';

/**
 * The commands, in the order in which the help lists them. Only the one that is called is loaded: a
 * server has no use for the others' libraries, and every command starts sooner.
 */
export const commandTable: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  workspace: async () => (await import('./commands/workspace.ts')).workspaceCommand,
  subject: async () => (await import('./commands/subject.ts')).subjectCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  user: async () => (await import('./commands/user.ts')).userCommand,
  answers: async () => (await import('./commands/answers.ts')).answersCommand,
  prompts: async () => (await import('./commands/prompts.ts')).promptsCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  shares: async () => (await import('./commands/shares.ts')).sharesCommand,
  sources: async () => (await import('./commands/sources.ts')).sourcesCommand,
  crawls: async () => (await import('./commands/crawls.ts')).crawlsCommand,
  engine: async () => (await import('./commands/engine.ts')).engineCommand,
  budget: async () => (await import('./commands/budget.ts')).budgetCommand,
  collect: async () => (await import('./commands/collect.ts')).collectCommand,
  scores: async () => (await import('./commands/scores.ts')).scoresCommand,
  actions: async () => (await import('./commands/actions.ts')).actionsCommand,
  hits: async () => (await import('./commands/hits.ts')).hitsCommand,
  bots: async () => (await import('./commands/bots.ts')).botsCommand,
  ranges: async () => (await import('./commands/ranges.ts')).rangesCommand,
  robots: async () => (await import('./commands/robots.ts')).robotsCommand,
  referrals: async () => (await import('./commands/referrals.ts')).referralsCommand,
  prune: async () => (await import('./commands/prune.ts')).pruneCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  imports: async () => (await import('./commands/imports.ts')).importsCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  database: async () => (await import('./commands/database.ts')).databaseCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
};
