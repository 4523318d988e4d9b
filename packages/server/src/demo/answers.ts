import type { Outcome, PromptRow } from '@overheard/contract';
import { promptId } from '../values/uuid.ts';
import { days, halfDays } from './calendar.ts';
import type { MomentOf } from './calendar.ts';
import type { Random } from './random.ts';
import story from './story.json' with { type: 'json' };

/** A prompt, and the days on which the engines are asked. */
type DemoPrompt = ReturnType<typeof demoPrompts>[number];

interface DemoAnswer {
  readonly outcome: Outcome;
  readonly answer: string;
  readonly sources: ReadonlyArray<{ readonly url: string; readonly title: string }>;
}

type Engine = (typeof story.engines)[number];
type Player = (typeof story.players)[number];

const { players, engines, thirdParties, phrases } = story;
/** How many days pass until an engine is asked the same prompt again. */
const everyDays = 5;
/** The share of answers that are refused, empty or failed. */
const lostShare = 0.05;
/** The share of cited players that are linked without being named. */
const linkedShare = 0.1;

/** The 40 prompts: most from before the first day, some added later, two given up. */
export function demoPrompts(momentOf: MomentOf) {
  return story.questions.map((line, index) => {
    const [locale = '', text = '', about = '', topic = ''] = line.split('|');
    const question = { text, language: locale.slice(0, 2), locale };
    const from = index % 9 === 8 ? index : 0;
    const isActive = index !== 14 && index !== 27;
    // Give the early prompts times one minute apart.
    const created_at = momentOf(from - 1, (540 + index) / 1440);
    const row = { id: promptId(question), ...question, active: isActive, created_at };
    return { about, topic, from, to: isActive ? days : halfDays + 5, row };
  });
}

/** Makes rows for `overheard answers import`: raw answers, in which the import detects subjects. */
export function demoAnswers(
  prompts: readonly DemoPrompt[],
  { momentOf, random }: { momentOf: MomentOf; random: Random },
) {
  // Each player does better at some prompts than at others.
  const leanings = prompts.map(() => players.map(() => random.next() * 0.2 - 0.1));
  return Array.from({ length: days }).flatMap((_, day) =>
    engines.flatMap((engine, place) =>
      prompts
        .filter(
          ({ from, to }, index) =>
            (index + day + place) % everyDays === 0 && day >= from && day <= to,
        )
        .map((prompt) => {
          const rates = day < halfDays ? engine.before : engine.after;
          const chances = players.map(({ name }, number) =>
            prompt.row.text.includes(name)
              ? 1
              : (rates[number] ?? 0) + (leanings[prompts.indexOf(prompt)]?.[number] ?? 0),
          );
          const answerText = random.isChance(lostShare)
            ? lostAnswer(prompt, random)
            : writeAnswer(citedPlayers(chances, random), { engine, prompt, random });
          const run_at = momentOf(day, 0.2 + random.next() * 0.15);
          const queries = queriesOf(prompt, { engine, day, sources: answerText.sources });
          return { prompt_id: prompt.row.id, engine: engine.slug, run_at, ...answerText, queries };
        }),
    ),
  );
}

/**
 * What the engine searched for: nothing on every fourth day, and one engine never says. A search for lists
 * leads to the directory, which does not list the brand.
 */
function queriesOf(
  { row, about }: DemoPrompt,
  { engine, day, sources }: { engine: Engine; day: number } & Pick<DemoAnswer, 'sources'>,
): readonly string[] | null {
  if (engine.slug === 'claude') return null;
  if (day % 4 === 3) return [];
  const isOfList = sources.some(({ url }) => isDirectory(url));
  return [row.text.replace(/\?$/, '').toLowerCase(), `${isOfList ? 'top 10 ' : ''}crm ${about}`];
}

/** Draws the cited players in order. Likelier players are nearer to the top. */
function citedPlayers(chances: readonly number[], random: Random): Player[] {
  return players
    .map((player, number) => ({ player, chance: chances[number] ?? 0 }))
    .filter(({ chance }) => random.isChance(chance))
    .map(({ player, chance }) => ({ player, place: random.next() - chance }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ player }) => player);
}

function lostAnswer({ row }: DemoPrompt, random: Random): DemoAnswer {
  const outcome = random.pick<Outcome>(['refused', 'empty', 'failed']);
  const answer = outcome === 'refused' ? phrases[languageOf(row)].refusal : '';
  return { outcome, answer, sources: [] };
}

/** Writes an answer in Markdown about these players in this order. */
function writeAnswer(
  cited: readonly Player[],
  { engine, prompt, random }: { engine: Engine; prompt: DemoPrompt; random: Random },
): DemoAnswer {
  const language = languageOf(prompt.row);
  const words = phrases[language];
  const linked = cited.filter((_, index) => index > 0 && random.isChance(linkedShare));
  const items = cited
    .filter((player) => !linked.includes(player))
    .map((player, index) => {
      const link = random.isChance(0.3)
        ? ` ([${player.domain}](${pageOf(player, random).url}))`
        : '';
      const praise = random.pick(player[language]);
      if (engine.style === 'prose') return `**${player.name}**${link} ${words.offers} ${praise}.`;
      const mark = engine.style === 'numbered' ? `${index + 1}.` : '*';
      return `${mark} **${player.name}**${link}: ${praise}.`;
    });
  const opening = random.pick(words.openings).replace('TOPIC', prompt.about);
  const further = linked.map((player) => words.further.replace('URL', pageOf(player, random).url));
  const lines = [
    ...(items.length === 0 ? [words.nobody] : [opening, ...items]),
    ...further,
    random.pick(words.closings),
  ];
  // The directory lists only vendors that pay for it: not the brand.
  const isGap = cited.every((player) => player !== players[0]);
  const others = thirdParties.filter(({ url }) => isGap || !isDirectory(url));
  const sources = [...cited.map((player) => pageOf(player, random)), ...others];
  return {
    outcome: 'answered',
    answer: lines.join(engine.style === 'prose' ? ' ' : '\n').trim(),
    sources: sources.filter(() => random.isChance(engine.sources)),
  };
}

function isDirectory(url: string): boolean {
  return url.includes('directory');
}

function pageOf({ name, domain }: Player, random: Random): { url: string; title: string } {
  const { path, title } = random.pick(story.pages);
  return { url: `https://www.${domain}${path}`, title: `${title} - ${name}` };
}

function languageOf({ language }: PromptRow): keyof typeof phrases {
  return language === 'de' ? 'de' : 'en';
}
