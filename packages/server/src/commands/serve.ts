import { Command } from 'commander';
import { option, settings } from '../config.ts';
import type { Io } from './io.ts';

/** `overheard serve` */
export function serveCommand(_io: Io): Command {
  return new Command('serve')
    .summary('serve the API')
    .addOption(option(settings.database))
    .action(() => {});
}
