import type { CommandMaker } from './define/define-command.ts';

/**
 * The commands, in the order in which the help lists them. Only the called command is loaded, so
 * that it starts sooner and does not load the libraries of the others.
 */
export const commandTable: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  serve: async () => (await import('./commands/serve/serve.ts')).serveCommand,
  workspace: async () => (await import('./commands/workspace/workspace.ts')).workspaceCommand,
  apply: async () => (await import('./commands/apply/apply.ts')).applyCommand,
  subject: async () => (await import('./commands/subject/subject.ts')).subjectCommand,
  key: async () => (await import('./commands/key/key.ts')).keyCommand,
  connector: async () => (await import('./commands/connector/connector.ts')).connectorCommand,
  receiver: async () => (await import('./commands/receiver/receiver.ts')).receiverCommand,
  user: async () => (await import('./commands/user/user.ts')).userCommand,
  answers: async () => (await import('./commands/answers/answers.ts')).answersCommand,
  prompts: async () => (await import('./commands/prompts/prompts.ts')).promptsCommand,
  report: async () => (await import('./commands/report/report.ts')).reportCommand,
  shares: async () => (await import('./commands/shares/shares.ts')).sharesCommand,
  sources: async () => (await import('./commands/sources/sources.ts')).sourcesCommand,
  crawls: async () => (await import('./commands/crawls/crawls.ts')).crawlsCommand,
  changes: async () => (await import('./commands/changes/changes.ts')).changesCommand,
  engine: async () => (await import('./commands/engine/engine.ts')).engineCommand,
  budget: async () => (await import('./commands/budget/budget.ts')).budgetCommand,
  collect: async () => (await import('./commands/collect/collect.ts')).collectCommand,
  scores: async () => (await import('./commands/scores/scores.ts')).scoresCommand,
  actions: async () => (await import('./commands/actions/actions.ts')).actionsCommand,
  hits: async () => (await import('./commands/hits/hits.ts')).hitsCommand,
  bots: async () => (await import('./commands/bots/bots.ts')).botsCommand,
  sites: async () => (await import('./commands/sites/sites.ts')).sitesCommand,
  ranges: async () => (await import('./commands/ranges/ranges.ts')).rangesCommand,
  robots: async () => (await import('./commands/robots/robots.ts')).robotsCommand,
  referrals: async () => (await import('./commands/referrals/referrals.ts')).referralsCommand,
  message: async () => (await import('./commands/message/message.ts')).messageCommand,
  prune: async () => (await import('./commands/prune/prune.ts')).pruneCommand,
  import: async () => (await import('./commands/import/import.ts')).importCommand,
  imports: async () => (await import('./commands/imports/imports.ts')).importsCommand,
  export: async () => (await import('./commands/export/export.ts')).exportCommand,
  backup: async () => (await import('./commands/backup/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup/restore.ts')).restoreCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  database: async () => (await import('./commands/database/database.ts')).databaseCommand,
  demo: async () => (await import('./commands/demo/demo.ts')).demoCommand,
};
