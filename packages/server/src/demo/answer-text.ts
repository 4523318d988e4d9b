import type { Outcome } from '../values/outcome.ts';
import type { Player } from './cast.ts';
import type { Random } from './random.ts';

/** A row of `overheard answers import`. */
export interface DemoAnswer {
  readonly prompt_id: string;
  readonly engine: string;
  readonly run_at: string;
  readonly outcome: Outcome;
  readonly answer: string;
  readonly sources: ReadonlyArray<{ readonly url: string; readonly title: string }>;
}

/** A subject that an answer cites, in the order in which it does. */
export interface CitedPlayer {
  readonly player: Player;
  /** Otherwise it is linked only. */
  readonly isNamed: boolean;
}

interface Phrases {
  readonly openings: readonly string[];
  readonly praises: readonly string[];
  readonly closings: readonly string[];
  readonly nobody: string;
  readonly further: string;
}

const english: Phrases = {
  openings: [
    'Here are the options that come up most often:',
    'It depends on how you work, but these are worth a look.',
    'A short list, based on recent reviews:',
  ],
  praises: [
    'quick to set up, with a clear pipeline',
    'strong reporting, at a higher price',
    'a generous free plan',
    'good automation for follow-ups',
    'praised for its support',
  ],
  closings: ['Try two of them for a week.', 'Check the price per user first.', ''],
  nobody: 'There is no clear favourite: write down what you need, then compare trials.',
  further: 'More on this [in this guide]',
};

const german: Phrases = {
  openings: ['Diese Lösungen werden am häufigsten genannt:', 'Einige gute Möglichkeiten:'],
  praises: ['schnell eingerichtet', 'gute Auswertungen', 'ein kostenloser Tarif', 'guter Support'],
  closings: ['Am besten zwei davon eine Woche lang testen.', ''],
  nobody: 'Einen klaren Favoriten gibt es nicht.',
  further: 'Mehr dazu [in diesem Leitfaden]',
};

/** Pages that engines like to quote, whoever is named. */
const elsewhere = [
  { url: 'https://reviews.example/best-crm', title: 'The best CRM, compared' },
  { url: 'https://forum.example/t/which-crm', title: 'Which CRM do you use?' },
  { url: 'https://www.weekly.example/crm-guide', title: 'A guide to CRM' },
];

/** An answer as an engine would write it in Markdown, naming and linking these in this order. */
export function writeAnswer(
  cited: readonly CitedPlayer[],
  { language, random }: { language: string; random: Random },
): Pick<DemoAnswer, 'outcome' | 'answer' | 'sources'> {
  const phrases = language === 'de' ? german : english;
  const named = cited.filter(({ isNamed }) => isNamed);
  const items = named.map(
    ({ player }, index) =>
      `${index + 1}. **${player.name}**${linkOf(player, random)}: ${random.pick(phrases.praises)}.`,
  );
  const further = cited
    .filter(({ isNamed }) => !isNamed)
    .map(({ player }) => `${phrases.further}(${addressOf(player)}/guide).`);
  const body = items.length === 0 ? [phrases.nobody] : [random.pick(phrases.openings), ...items];
  const lines = [...body, ...further, random.pick(phrases.closings)];
  return {
    outcome: 'answered',
    answer: lines.filter((line) => line !== '').join('\n'),
    sources: elsewhere.filter(() => random.isChance(0.4)),
  };
}

function linkOf(player: Player, random: Random): string {
  return random.isChance(0.35) ? ` ([site](${addressOf(player)}/crm))` : '';
}

function addressOf({ domains: [domain = ''] }: Player): string {
  return `https://www.${domain}`;
}
