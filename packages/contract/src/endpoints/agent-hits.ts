import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { instant, text } from '../fields.ts';
import { limits } from '../limits.ts';
import { cursorParameter, openDayParameters } from '../parameters.ts';

export const botCategory = z.enum(['crawler', 'search', 'user']);
export type BotCategory = z.infer<typeof botCategory>;
export const verification = z.enum(['verified', 'spoofed', 'unverified']);

export const hitRow = z.strictObject({
  bot_name: text.meta({
    description: "The bot's token as its operator writes it.",
    examples: ['GPTBot'],
  }),
  bot_company: text.meta({
    description: 'The operator that the bot claims.',
    examples: ['OpenAI'],
  }),
  category: botCategory.meta({
    description:
      'Why the bot reads: `crawler` for training or a corpus, `search` for an index that answers cite, `user` because a person asked.',
    examples: ['crawler'],
  }),
  path: text.meta({ description: 'The path that was requested.', examples: ['/pricing'] }),
  method: text.meta({ description: 'The HTTP method.', examples: ['GET'] }),
  status: z
    .int()
    .min(0)
    .max(999)
    .nullable()
    .meta({
      description: "The HTTP status of the site's response; null if the log has none.",
      examples: [200],
    }),
  verification: verification.meta({
    description:
      'Whether the request came from that bot: `verified` if proven, `spoofed` if disproven, else `unverified`.',
    examples: ['verified'],
  }),
  hit_at: instant.meta({
    description: 'When the request was made.',
    examples: ['2026-11-20T12:34:56.789Z'],
  }),
});

export const agentHits = defineEndpoint({
  name: 'agent-hits',
  path: '/api/v1/agent-hits',
  summary: 'Requests by AI crawlers and agents',
  description: `Requests to the workspace's sites by AI crawlers and agents, at most ${limits.hitsMax}, most recent first, all three verifications. With \`from\` or \`to\`, the address of the next page is in the \`Link\` header (\`rel="next"\`) if there are more.`,
  array: 'hits',
  rowsMax: limits.hitsMax,
  query: z.strictObject({ ...openDayParameters('hit'), cursor: cursorParameter() }),
  row: hitRow,
  isPaged: true,
});
