import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { neutralText } from '../text/neutral-text.ts';

/** A question that a host offers its user, and how to answer it. */
interface UsualQuestion {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The one argument, if there is one. */
  readonly argument?: { readonly name: string; readonly description: string };
  text(value: string): string;
}

const careful =
  'Give the period, the number of runs and the interval with every figure. Call only the verdicts up and down a change. Repeat what the notes say is missing.';

const questions: readonly UsualQuestion[] = [
  {
    name: 'weekly_review',
    title: 'Weekly review',
    description: 'What changed for the brand since last week, and what to do next.',
    text: () =>
      `Write a short review of the last 7 days against the 7 days before. Use get_report with from and to. ${careful}`,
  },
  {
    name: 'against_competitor',
    title: 'Against a competitor',
    description: 'The brand compared with one competitor.',
    argument: { name: 'competitor', description: 'Name of a tracked competitor' },
    text: (name) =>
      `Compare the brand with the competitor ${JSON.stringify(name)} over the last 28 days. Find the name in get_subjects. Use get_shares in total, by engine and by prompt: citation rate, share of voice and mean rank of both, and where each leads. ${careful}`,
  },
  {
    name: 'crawler_check',
    title: 'Crawler check',
    description: 'Which AI crawlers read the site, and whether any is refused.',
    text: () =>
      `Say which AI crawlers read the site, how many hits were verified and how many spoofed, and which pages they were refused. Use get_crawls by bot and by page, and get_actions with status open for blocked pages. ${careful}`,
  },
  {
    name: 'why_this_prompt',
    title: 'Why this prompt is lost',
    description: 'Who is cited for one question instead of the brand.',
    argument: { name: 'prompt', description: 'The question, or a part of it' },
    text: (prompt) =>
      `Find out why the brand loses the prompt ${JSON.stringify(prompt)}. Find its id with get_prompts and search. Then get_shares with prompt_id for who is cited how often, get_answers with prompt_id and cited false for the sentences and sources, and get_actions with prompt_id for what to do. ${careful}`,
  },
];

/** The prompts as they are served. */
export function servedPrompts() {
  return questions.map(({ name, title, description, argument }) => ({
    name,
    title,
    description,
    arguments: argument === undefined ? [] : [{ ...argument, required: true }],
  }));
}

/** The text of a prompt. Throws the error of the protocol for an unknown one and for a missing argument. */
export function promptMessages(name: string, values: Readonly<Record<string, string>>) {
  const question = questions.find((each) => each.name === name);
  if (question === undefined)
    throw invalid(
      `There is no prompt of this name. The prompts are ${questions.map((each) => each.name).join(', ')}.`,
    );
  const { argument, description } = question;
  const value = neutralText(argument === undefined ? '' : (values[argument.name] ?? '')).trim();
  if (argument !== undefined && value === '')
    throw invalid(`It needs the argument ${argument.name}.`);
  const text = question.text(value.slice(0, 300));
  return {
    description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
