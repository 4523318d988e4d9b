import { parseAddress } from '../../../values/addresses/address.ts';
import { readWorkspaceBots } from '../../../crawlers/bots/workspace-bots.ts';
import { explainHit } from '../../../crawlers/hits/explain-hit.ts';
import { removeHits } from '../../../crawlers/hits/remove-hits.ts';
import { verifyHits } from '../../../crawlers/hits/verify-hits.ts';
import { Refusal } from '../../../refusals.ts';
import { permissions } from '../../../values/sites/robots-history.ts';
import { judgeByRobots } from '../../../reports/robots/robots-report.ts';
import { amount, plural } from '../../../values/plural.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { flag, text } from '../../define/options.ts';
import { noDns, systemHostNames } from '../../operator-lists/system-host-names.ts';
import { verdictLines } from '../../words/verdict-lines.ts';
import { hitsIngestCommand } from './hits-ingest.ts';
import { hitsLagsCommand } from './hits-lags.ts';
import { hitsListCommand } from './hits-list.ts';
import { hitsSummaryCommand } from './hits-summary.ts';
import { tableOf } from '../../define/table-of.ts';
import { confirm } from '../../terminal/confirm.ts';
import { UsageError } from '../../terminal/command-error.ts';

const explainCommand = defineWorkspaceCommand({
  name: 'explain',
  summary: 'say why a hit is verified, spoofed or unverified',
  description:
    'Shows a hit with everything that its verification rests on, and whether the robots.txt of its day allowed it.',
  arguments: {
    id: word("the hit's id or the beginning of it, as `overheard export hits` gives it"),
  },
  json: '{hit, evidence, own, robots}',
  examples: ['overheard hits explain 0190e4a6-... --workspace acme'],
  run: async ({ store, workspaceId }, { id }) => {
    const explanation = await explainHit(store, workspaceId, id);
    const { hit, evidence, own } = explanation;
    const source = { db: store.reader, workspaceId };
    const bots = await readWorkspaceBots(store.reader, workspaceId);
    const robots = await judgeByRobots(source, { hit, bots });
    return {
      json: { ...explanation, robots },
      text: [
        `${hit.bot_name} (${hit.bot_company}, ${hit.category}) ${hit.method} ${hit.path} at ${hit.hit_at}`,
        `host ${hit.host ?? 'not logged'}, address ${hit.address ?? 'none kept'}, status ${hit.status ?? 'not logged'}`,
        `user agent ${hit.user_agent ?? 'not kept'}`,
        ...(evidence === undefined
          ? [`${hit.verification}: imported, without evidence`]
          : verdictLines(hit.verification, evidence)),
        ...(own === undefined ? [] : verdictLines('by itself', own)),
        `robots.txt of its day: ${permissions[robots]}`,
      ],
    };
  },
});

const verifyCommand = defineWorkspaceCommand({
  name: 'verify',
  summary: 'judge the hits again by newer or nearer lists',
  description:
    'Judges again every hit whose address is still kept, by the lists that are stored now, and says what changed.',
  options: { noDns },
  json: '{judged, without_address, changed:[{bot, from, to, reason, hits}]}',
  examples: ['overheard ranges update && overheard hits verify --workspace acme'],
  run: async ({ io, store, workspaceId, progress }, values) => {
    const { judged, withoutAddress, changed, isStopped } = await verifyHits(store, workspaceId, {
      hostNames: systemHostNames(io, values),
      clock: io.clock,
      signal: io.signal,
      onJudged: (hits) => progress.update(() => `Judged ${amount(hits, 'hit')}`),
    });
    return {
      json: { judged, withoutAddress, changed },
      table: tableOf(changed, 'No verdict changed.', {
        BOT: ({ bot }) => bot,
        FROM: ({ from }) => from,
        TO: ({ to }) => to,
        WHY: ({ reason }) => reason,
        HITS: ({ hits }) => hits,
      }),
      words: [
        `Judged ${plural(judged, 'hit')} again.`,
        withoutAddress > 0 &&
          `${plural(withoutAddress, 'hit')} no longer ${withoutAddress === 1 ? 'has its' : 'have their'} address and ${withoutAddress === 1 ? 'keeps its' : 'keep their'} verdict.`,
      ],
      failure: isStopped
        ? 'Stopped. The verdicts so far are kept; the rest is unchanged.'
        : undefined,
    };
  },
});

const removeCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: 'remove hits that were read in a wrong way, or imported',
  description:
    "Removes hits of logs that were read through a proxy's address or without the name of their site, so that the logs can be read again in another way; otherwise both readings are kept. Referrals without the name of their site go along. --read removes everything that was read from logs, referrals too; imported hits stay. --imported removes the imported ones alone. Shows how many and asks for confirmation; without a terminal it needs --yes.",
  options: {
    address: text('<address>', 'hits of this address, as long as theirs are kept'),
    withoutHost: flag('hits that have no name of a site'),
    read: flag('all hits that were read from logs'),
    imported: flag('all hits that were imported as rows, and no others'),
    yes: flag('do not ask'),
  },
  json: '{removed, referrals}',
  examples: [
    'overheard hits remove --address 10.0.0.3 --workspace acme',
    'overheard hits remove --without-host --workspace acme',
    'overheard hits remove --imported --workspace acme --yes',
  ],
  run: async (
    { io, store, workspaceId },
    { address: addressText, withoutHost, read, imported, yes },
  ) => {
    const isNarrowed = addressText !== undefined || withoutHost;
    if (imported && (isNarrowed || read)) {
      throw new UsageError(
        '--imported stands alone: imported hits have no address, no site and no log.',
      );
    }
    if (!isNarrowed && !read && !imported) {
      throw new UsageError(
        'Say which hits: --address ADDRESS, --without-host, or both; --read or --imported for all of a kind.',
      );
    }
    const address = addressText === undefined ? undefined : parseAddress(addressText)?.text;
    if (addressText !== undefined && address === undefined) {
      throw new Refusal('address_malformed', { text: addressText });
    }
    const removal = { address, isWithoutHost: withoutHost, isImported: imported };
    if (!yes) {
      const preview = removedWords(
        await removeHits(store, workspaceId, { ...removal, isDryRun: true }),
      );
      if (preview !== '') {
        const question = `Would remove ${preview}. Type remove to remove them:`;
        await confirm(io, { question, word: 'remove' });
      }
    }
    const removed = await removeHits(store, workspaceId, removal);
    const removedPart = removedWords(removed);
    return {
      json: { removed: removed.hits, referrals: removed.referrals },
      words:
        removedPart === '' ? 'No hit matches: nothing was removed.' : `Removed ${removedPart}.`,
    };
  },
});

/** `2 hits and 1 referral`; empty if nothing is removed. */
function removedWords({ hits, referrals }: { hits: number; referrals: number }): string {
  return [
    ...(hits > 0 ? [plural(hits, 'hit')] : []),
    ...(referrals > 0 ? [plural(referrals, 'referral')] : []),
  ].join(' and ');
}

export const hitsCommand = defineGroup({
  name: 'hits',
  summary: 'read access logs for AI crawlers and agents',
  description: 'Hits: requests by AI crawlers and agents, found in access logs and verified.',
  commands: [
    hitsIngestCommand,
    hitsSummaryCommand,
    hitsListCommand,
    hitsLagsCommand,
    explainCommand,
    verifyCommand,
    removeCommand,
  ],
});
