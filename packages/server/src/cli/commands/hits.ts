import { Command } from 'commander';
import { explainHitCommand } from './hits-explain.ts';
import { ingestCommand } from './hits-ingest.ts';
import { removeHitsCommand } from './hits-remove.ts';
import { verifyHitsCommand } from './hits-verify.ts';
import type { Io } from '../terminal/io.ts';

/** `overheard hits ingest|explain|verify|remove` */
export function hitsCommand(io: Io): Command {
  return new Command('hits')
    .summary('read access logs for AI crawlers and agents')
    .description('Hits: requests by AI crawlers and agents, found in access logs and verified.')
    .addCommand(ingestCommand(io))
    .addCommand(explainHitCommand(io))
    .addCommand(verifyHitsCommand(io))
    .addCommand(removeHitsCommand(io));
}
