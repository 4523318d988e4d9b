import type { BotConduct, RobotsReport } from '../../../reports/robots/robots-report.ts';
import { plural } from '../../../values/plural.ts';
import type { Lines } from '../../../values/printable.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Table } from '../../terminal/print.ts';

const conclusions = {
  obeyed: 'obeyed',
  ignored: 'ignored',
  not_restricted: 'nothing forbidden',
  unknown: '-',
} as const satisfies Record<BotConduct['conclusion'], string>;

/** A table of what verified bots did, by site. */
export function conductTable({ bots }: RobotsReport): Table {
  return tableOf(
    bots.filter(({ verified }) => Object.values(verified).some((count) => count > 0)),
    'There is no verified hit to compare with a robots.txt of its site and time.',
    {
      SITE: ({ host }) => host,
      BOT: (bot) => bot.bot_name,
      RULES: ({ conclusion }) => conclusions[conclusion],
      ASKED: ({ asked }) => (asked === null ? null : asked ? 'yes' : 'never'),
      ALLOWED: ({ verified }) => verified.allowed,
      DISALLOWED: ({ verified }) => verified.disallowed,
      'IN DOUBT': ({ verified }) => verified.unclear,
      UNKNOWN: ({ verified }) => verified.unknown,
    },
  );
}

/**
 * Facts that the table doesn't show: the first disallowed request, policies, and hits that may be
 * forged.
 */
export function conductLines({ bots, without_file: withoutFile }: RobotsReport): Lines {
  return [
    ...bots.map(
      ({ host, bot_name: bot, first_ignored: first, ignores_by_policy: ignores }) =>
        first !== null &&
        `${bot} asked ${host} for ${first.path} at ${first.hit_at}, which was disallowed.${ignores ? ' Its operator says that robots.txt may not apply to it, because a person sends it.' : ''}`,
    ),
    ...bots.flatMap(({ host, bot_name: bot, unverified, spoofed }) =>
      Object.entries({ unverified, spoofed }).map(
        ([verification, { disallowed }]) =>
          disallowed > 0 &&
          `${plural(disallowed, `${verification} hit`)} in the name of ${bot} on ${host} ${disallowed === 1 ? 'was' : 'were'} disallowed. These hits say nothing about its operator.`,
      ),
    ),
    withoutFile > 0 &&
      `${plural(withoutFile, 'hit')} ${withoutFile === 1 ? 'has' : 'have'} no robots.txt to compare with: none is stored for the site, or the log doesn't name the site.`,
  ];
}
