import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, date, instant, text } from '../fields.ts';
import { limits } from '../limits.ts';
import { agentHits, botCategory } from './agent-hits.ts';
import { openDayParameters } from '../parameters.ts';

const ofBot = 'null unless `by=bot`';
const ofPage = 'null unless `by=page`';
/** Hosts are stored without scheme and port, so an address would find nothing. */
const hostFault = {
  error: 'It must be a host name such as www.acme.com, without scheme, port and path.',
};

export const crawlRow = z.strictObject({
  bot_name: text.nullable().meta({
    description: `Token of the bot as its operator writes it; ${ofBot}.`,
    examples: ['GPTBot'],
  }),
  bot_company: text
    .nullable()
    .meta({ description: `Its operator; ${ofBot}.`, examples: ['OpenAI'] }),
  category: botCategory.nullable().meta({
    description: `The purpose of its requests: a corpus, an index that answers cite, or a person who asked; ${ofBot}.`,
    examples: ['crawler'],
  }),
  host: text.nullable().meta({
    description: `Host of the page; ${ofPage}, and where the log names none.`,
    examples: [null],
  }),
  path: text.nullable().meta({ description: `Path of the page; ${ofPage}.`, examples: [null] }),
  date: date
    .nullable()
    .meta({ description: 'The UTC day; null unless `by=day`.', examples: [null] }),
  verified: count.meta({ description: 'Hits that certainly came from the bot.', examples: [812] }),
  spoofed: count.meta({
    description: "Hits of other clients under the bot's name.",
    examples: [31],
  }),
  unverified: count.meta({ description: 'Hits that no evidence decides.', examples: [4] }),
  ok: count.meta({ description: 'Hits with status 2xx or 304.', examples: [790] }),
  redirected: count.meta({ description: 'Hits with another status 3xx.', examples: [22] }),
  refused: count.meta({
    description: 'Hits with status 401, 402, 403, 407, 429 or 451.',
    examples: [8],
  }),
  failed: count.meta({
    description: 'Hits with another status 4xx, or 5xx. Hits of unknown status are in no group.',
    examples: [27],
  }),
  first_at: instant.meta({ description: 'The first hit.', examples: ['2026-06-02T04:11:09.000Z'] }),
  last_at: instant.meta({ description: 'The last hit.', examples: ['2026-11-20T11:58:40.000Z'] }),
});

export const crawls = defineEndpoint({
  name: 'crawls',
  path: '/api/v1/crawls',
  summary: 'Which bots read which pages, over all stored hits',
  description: `Counts of hits, not only of the ${agentHits.rowsMax} latest: by bot, page or day, most hits first. At most ${limits.reportRowsMax} rows.`,
  array: 'crawls',
  query: z.strictObject({
    by: z
      .enum(['bot', 'page', 'day'])
      .optional()
      .meta({
        description: 'What a row counts; `bot` if not given.',
        examples: ['page'],
      }),
    ...openDayParameters('hit'),
    host: z
      .string()
      .max(253, hostFault)
      .toLowerCase()
      .regex(/^(?:[^\s/?#\\:@]+|\[[\d.:a-f]+\])$/, hostFault)
      .optional()
      .meta({ description: 'Only hits of this host, in any case.', examples: ['www.acme.com'] }),
    bot_name: z
      .string()
      .max(200, { error: 'It must be the token of a bot such as GPTBot.' })
      .optional()
      .meta({ description: 'Only hits of this bot, in any case.', examples: ['GPTBot'] }),
  }),
  row: crawlRow,
  rowsMax: limits.reportRowsMax,
});
