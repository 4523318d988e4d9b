import type { IngestSummary, ProxyNote } from '../../../crawlers/ingest/ingest-tally.ts';
import { addressWords, clientAddressLines } from '../../../reports/hits/address-verdicts.ts';
import type { AddressVerdicts } from '../../../reports/hits/address-verdicts.ts';
import type { LogBots } from '../../../reports/hits/log-bots.ts';
import { proxyName } from '../../../crawlers/ingest/trusted-proxies.ts';
import { skipReasons } from '../../../crawlers/log-line.ts';
import type { Lines } from '../../../values/printable.ts';
import type { Table } from '../../terminal/print.ts';
import { tableOf } from '../../define/table-of.ts';
import { amount, thousands } from '../../../values/plural.ts';

type IngestCounts = Omit<IngestSummary, 'period'> & {
  readonly bots: LogBots;
  /** Of the days that were read; undefined if no hit was. */
  readonly addresses: AddressVerdicts | undefined;
};

/** A table of the hits of an ingest by bot. */
export function botTable({ bots, lines }: IngestCounts): Table {
  return tableOf(
    bots,
    lines === 0 ? 'No new lines were read.' : 'No AI crawler or agent is in it.',
    {
      BOT: ({ bot }) => bot,
      COMPANY: ({ company }) => company,
      CATEGORY: ({ category }) => category,
      VERIFIED: ({ verified }) => thousands(verified),
      SPOOFED: ({ spoofed }) => thousands(spoofed),
      UNVERIFIED: ({ unverified }) => thousands(unverified),
    },
  );
}

/** Describes what an ingest read and skipped, and how to verify more hits. */
export function ingestLines(
  { lines, hitsNew, hitsKnown, otherTraffic, skipped, referralsNew, ...summary }: IngestCounts,
  {
    isDryRun,
    hasLists,
  }: {
    isDryRun: boolean;
    /** Whether any operator's list is installed. */
    hasLists: boolean;
  },
): Lines {
  const { bots, skips, proxies, addresses } = summary;
  const words = addresses && addressWords(addresses);
  return [
    words !== undefined && words.sentence,
    ...(words?.isProxy === true ? ["Log the client's address:", ...clientAddressLines] : []),
    `${amount(lines, 'line')} = ${amount(hitsNew, 'hit')} new + ${amount(hitsKnown, 'hit')} known + ${thousands(otherTraffic)} other traffic + ${thousands(skipped)} skipped.`,
    referralsNew > 0 &&
      `People who came from an answer: ${thousands(referralsNew)} new. See overheard referrals --workspace SLUG`,
    isDryRun && 'Nothing was written: --dry-run.',
    ...skips.flatMap((skip) => {
      const what = `Skipped ${amount(skip.lines, 'line')} ${skipReasons[skip.reason]}`;
      return skip.reason === 'blank' ? [`${what}.`] : [`${what}, such as:`, `  ${skip.example}`];
    }),
    !hasLists &&
      bots.length > 0 &&
      'No operator address lists are installed, so most hits cannot be verified. Fetch them, which judges these hits again: overheard ranges update',
    ...proxies.map(proxyWords),
  ];
}

/** Warns that the log names a proxy, and names the command that reads the clients instead. */
function proxyWords({ list, isTrusted, detail, address, hits }: ProxyNote): string {
  const lines = `${amount(hits, 'hit')} ${hits === 1 ? 'has' : 'have'}`;
  if (detail !== null) {
    return `${lines} the address of a ${isTrusted ? 'proxy that you trust' : 'proxy or a translator'}, such as ${address}, and cannot be verified: ${detail}. To read them again, first remove these hits: overheard hits remove --address ${address}`;
  }
  if (isTrusted) {
    return `${lines} the address of a proxy that you trust, such as ${address}, and cannot be verified: the log lacks the header in which this proxy names its client.`;
  }
  if (list === null) {
    return `${lines} the address of a proxy, such as ${address}, and another address in a header. If the proxy is yours, read the clients: overheard hits ingest FILE --from-start --trust-forwarded ${address}. First remove these hits: overheard hits remove --address ${address}`;
  }
  const name = proxyName(list);
  return `${lines} an address of ${name} (${list}), such as ${address}, in place of the client's, and cannot be verified. Log the client's address, or its header and read it: overheard hits ingest FILE --from-start --trust-forwarded ${name}. First remove these hits: overheard hits remove --address ${address}`;
}

/** A number with separators of thousands. */
