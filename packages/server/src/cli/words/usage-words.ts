import { quote } from '../../refusals/quote.ts';

/**
 * What commands say of options that do not go together or are missing. A rule of the domain is a
 * `Refusal` instead.
 */
export const usageWords = {
  actions: {
    nothingToSet: 'Say what to change: --status, --assign or --note.',
  },
  answers: {
    chooseAnswers: 'Choose the answers: give ids of runs, --import or --engine.',
    needsAs: (option: string) => `--${option} is for raw responses: name their format with --as.`,
    asIsWhole: (option: string) => `--as names the format of the whole file. Leave ${option} out.`,
  },
  changes: {
    malformed: '--since is not a cursor. Give it the one that the last call printed.',
    cursor_too_old:
      'The database was restored since --since was printed, or too much was written. Call it without --since, and read everything again.',
  },
  crawls: {
    besideSources: '--beside-sources has no --by, --host or --bot: leave them out.',
  },
  hits: {
    follow: '--follow is for files, and not with --dry-run.',
    importedAlone: '--imported stands alone: imported hits have no address, no site and no log.',
    chooseHits:
      'Say which hits: --address ADDRESS, --without-host, or both; --read or --imported for all of a kind.',
  },
  imports: {
    number: (word: string) =>
      `${quote(word)} is not the number of an import. See \`overheard imports list\`.`,
  },
  period: {
    invalid: (fault: string) => `The period is not valid. ${fault} Change --from or --to.`,
    fromAndDays: 'Give the first day by --from or by --days, not both.',
    reversed: (from: string | undefined, fault: string) => `--from ${from}: ${fault}`,
  },
  prompts: {
    choosePrompts: 'Name prompts by their ids, or give --all.',
  },
  robots: {
    oneSite: 'Name a site with --host; with --url one, and its whole address.',
    chooseVersion: 'Choose: --at WHEN, or --all.',
  },
  subject: {
    previewOnly: '--answers and --sentences belong to --dry-run: give it, too.',
    nothingToSet: 'Say what to change: --name, --alias, --domain, --path or another option.',
  },
  user: {
    nameUser: 'Name the user: overheard user link EMAIL. See `overheard user list`.',
  },
  workspace: {
    nothingToSet: 'Say what to change: --name, --slug or --locale.',
  },
} as const;
