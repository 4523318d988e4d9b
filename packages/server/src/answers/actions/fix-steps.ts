import { plural } from '../../values/plural.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import type { SourceKind } from '../../values/sites/source-kind.ts';
import type { PromptKind, Window } from './gap-kinds.ts';
import { aheadWords, pageWords, rivalWords, shorten, topWords } from './gap-words.ts';
import type { Tally } from './tally.ts';

/** How a brand gets onto a page of a kind; pages of the other kinds are closed to it. */
const waysOnto: Partial<Record<SourceKind, string>> & { readonly other: string } = {
  review: 'offer its editors a test, or set up a profile that customers can rate',
  list: 'write to its author what you do better than an entry of the list, with proof, before the next update',
  news: 'offer its author something new for the next article on this: data, a case, an expert',
  reference: 'suggest an entry with independent sources, and do not edit an article about yourself',
  forum: 'answer there under your own name, and say who you work for',
  video: 'offer the channel a test for its next video on this',
  social: 'comment as who you are, and offer the author something for the next post on this',
  other: 'ask its owner to add it',
};

/** Whether a brand can get itself onto a page of this kind. */
export function canGetOnto(kind: SourceKind): boolean {
  return kind in waysOnto;
}

/** Most steps of a gap. */
export const stepsMax = 3;

interface AnswerFacts {
  /** The answers that show the gap, and those of the window before. */
  readonly now: Tally;
  readonly before: Tally;
  /** The engines of these answers, such as ` on chatgpt and gemini`; '' if they are all. */
  readonly where: string;
  /** The engines that never cite the brand. */
  readonly never: readonly string[];
}

type Advice = (facts: AnswerFacts, window: Window) => string[];

/** The advice of each kind of gap in answers: the brand is missing, has fallen, or stands badly. */
const advice: Readonly<Record<PromptKind, Advice>> = {
  absent: missing,
  'rarely cited': missing,
  'engine gap': missing,
  lost: fallen,
  declining: fallen,
  'not named': standing(
    ({ now: { cited, named, linked }, where }, { brand }) =>
      `Write the name ${brand} into the title and the first sentence of your pages: ${cited - named} of ${plural(linked, 'answer')} that link to ${brand}${where} do not name it.`,
  ),
  outranked: standing(
    ({ now, where }, { brand, names }) =>
      `Read the answers${where} that place others before ${brand} (${aheadWords(now, names)}), and show on a page of your own where ${brand} is ahead.`,
  ),
  'not linked': standing(
    ({ now: { named, rivalLinked }, where }, { brand }) =>
      `Publish a page that answers can link to: ${plural(named, 'answer')}${where} name ${brand} and none links to it, ${rivalLinked} link to a competitor.`,
  ),
};

/** Steps for a gap in answers. They follow from counts, links, statuses and dates alone. */
export function stepsForAnswers(kind: PromptKind, facts: AnswerFacts, window: Window): string[] {
  return advice[kind](facts, window)
    .filter((step) => step !== '')
    .slice(0, stepsMax);
}

function missing({ now, where, never }: AnswerFacts, window: Window): string[] {
  const { brand, names } = window;
  const rivals = rivalWords(now, names);
  const pages = pageWords(openPages(now, window), 'absent');
  const engines = never.join(' and ');
  return [
    pages === '' ? '' : `Get ${brand} onto the pages that the answers without it cite: ${pages}.`,
    `Read the ${plural(now.runs - now.cited, 'answer')}${where} without ${brand}${rivals === '' ? '' : `; cited instead: ${rivals}`}. Answer the question on a page of your own.`,
    engines === ''
      ? ''
      : `Check that crawlers of ${engines} get your pages with status 200: ${engines} never cited ${brand}.`,
  ];
}

function fallen({ now, before, where }: AnswerFacts, window: Window): string[] {
  const { brand, current, before: then } = window;
  const pages = pageWords(openPages(now, window), 'absent');
  return [
    `Compare the answers: ${brand} is cited${where} in ${before.cited} of ${before.runs} from ${then.from} to ${then.to}, and in ${now.cited} of ${now.runs} from ${current.from} to ${current.to}.`,
    pages === ''
      ? ''
      : `Get ${brand} onto the pages that the answers without it cite now: ${pages}.`,
    `Check which of your pages have moved, changed or refused crawlers since ${then.from}.`,
  ];
}

/** The pages that a brand can get itself onto. */
function openPages({ pages }: Tally, { kindOf }: Window): Pick<Tally, 'pages'> {
  return { pages: new Map([...pages].filter(([page]) => canGetOnto(kindOf(page)))) };
}

function standing(first: (facts: AnswerFacts, window: Window) => string): Advice {
  return (facts, window) => {
    const pages = pageWords(facts.now, 'outranked');
    return [
      first(facts, window),
      pages === ''
        ? ''
        : `Correct what the pages that these answers cite say about ${window.brand}: ${pages}.`,
    ];
  };
}

/** Steps for a third-party page that prompts are lost to. */
export function stepsForSource(
  page: string,
  { share: { part, whole }, rivals }: { readonly share: Proportion; readonly rivals: string },
  { brand, kindOf }: Window,
): string[] {
  const way = waysOnto[kindOf(page)] ?? waysOnto.other;
  return [
    `Open ${shorten(page, 200)}, and look for ${brand}: ${part} of ${plural(whole, 'answer')} that cite it cite a competitor and not ${brand}.`,
    `If ${brand} is not on it, ${way}. Cited instead: ${rivals}.`,
    `If ${brand} is on it, compare what it says about ${brand} and about them, and ask for corrections.`,
  ];
}

/** The requests of a bot to a page, by status. */
export interface RefusedCounts {
  readonly refused: number;
  readonly forbidden: number;
  readonly limited: number;
  readonly failed: number;
  readonly lastRefusedAt: string;
  /** Whether the bot reads for training, which the site may refuse. */
  readonly isChoice: boolean;
}

/** Steps for a bot that is refused: the two most frequent statuses, and how to see that it is fixed. */
export function stepsForRefused(
  bot: string,
  { refused, forbidden, limited, failed, lastRefusedAt, isChoice }: RefusedCounts,
): string[] {
  const other = refused - forbidden - limited - failed;
  const causes: ReadonlyArray<readonly [count: number, step: string]> = [
    [
      forbidden,
      `Let ${bot} through the firewall, CDN or bot protection, by the addresses that its operator publishes: ${plural(forbidden, 'request')} got 403.`,
    ],
    [limited, `Raise the rate limit for ${bot}: ${plural(limited, 'request')} got 429.`],
    [failed, `Look into the error log of the server: ${plural(failed, 'request')} got 5xx.`],
    [
      other,
      `Find the rule that answers ${bot} with 4xx: ${plural(other, 'request')} got another status of this class.`,
    ],
  ];
  const choice = `Decide whether ${bot} may read the page for training. If not, dismiss this gap.`;
  return [
    ...(isChoice ? [choice] : []),
    ...causes
      .filter(([count]) => count > 0)
      .toSorted(([left], [right]) => right - left)
      .slice(0, isChoice ? 1 : stepsMax - 1)
      .map(([, step]) => step),
    `Then look at the requests after ${lastRefusedAt.slice(0, 10)}, the day of the last refusal: they should get 200.`,
  ];
}

/** Steps for an own page that answers cite and crawlers no longer request. */
export function stepsForUnread(page: string, lastRequestedAt: string): string[] {
  return [
    `Open ${shorten(page, 200)} without signing in: it should answer with status 200 and no redirect.`,
    `Check what changed in robots.txt and in the firewall after ${lastRequestedAt.slice(0, 10)}, the day of its last verified request.`,
    'Link to it from pages that crawlers still read, and list it in the sitemap.',
  ];
}

/** Steps for own pages that bots read for answers and no answer cites. */
export function stepsForUncited(
  counts: ReadonlyArray<readonly [page: string, reads: number]>,
): string[] {
  return [
    `Begin with the pages that bots read most: ${topWords(counts, stepsMax)}.`,
    'Put the answer to a tracked prompt into the first sentence of each.',
    'Compare them with the pages that answers to this prompt cite, on the page Sources.',
  ];
}
