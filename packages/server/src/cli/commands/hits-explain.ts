import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { explainHit } from '../../crawlers/hits/explain-hit.ts';
import { reasons } from '../../crawlers/verify/verdict.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printText } from '../terminal/print.ts';
import { printableLines } from '../../values/printable.ts';

interface ExplainOptions {
  readonly database: string;
  readonly workspace: string;
  readonly json?: boolean;
}

/** `overheard hits explain` */
export function explainHitCommand(io: Io): Command {
  return new Command('explain')
    .summary('say why a hit is verified, spoofed or unverified')
    .description('Shows a hit with everything that its verification rests on.')
    .argument('<id>', "the hit's id or the beginning of it, as `overheard export hits` gives it")
    .option('--json', 'print JSON')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', '\nExample:\n  overheard hits explain 0190e4a6-... --workspace acme')
    .action(async (id: string, { json = false, ...options }: ExplainOptions) => {
      const found = await inWorkspace(options, (store, workspaceId) =>
        explainHit(store, workspaceId, id),
      );
      if (json) return printJson(io, found);
      const { hit, evidence, own, neighbours } = found;
      const lines = [
        `${hit.bot_name} (${hit.bot_company}, ${hit.category}) ${hit.method} ${hit.path} at ${hit.hit_at}`,
        `host ${hit.host ?? 'not logged'}, address ${hit.address ?? 'none kept'}, status ${hit.status ?? 'not logged'}`,
        `user agent ${hit.user_agent ?? 'not kept'}`,
        evidence === undefined
          ? `${hit.verification}: imported, without evidence`
          : `${hit.verification}: ${reasons[evidence.reason]} (${evidence.reason})`,
        ...Object.entries(evidence ?? {})
          .filter(([name]) => name !== 'reason')
          .map(([name, value]) => `  ${name} ${value}`),
        ...(own === undefined ? [] : [`  by itself: ${reasons[own.reason]} (${own.reason})`]),
        ...neighbours.map(
          ({ bot_name: name, bot_company: company, hit_at: at }) =>
            `  same address: ${name} (${company}) at ${at}`,
        ),
      ];
      printText(io, printableLines(lines));
      return undefined;
    });
}
