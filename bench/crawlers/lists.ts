/** How many networks each list has: some 14,000 in all, as operators publish them. */
const sizes: Readonly<Record<string, number>> = {
  'openai/gptbot': 40,
  'openai/searchbot': 60,
  'openai/chatgpt-user': 300,
  'anthropic/bots': 25,
  'perplexity/perplexitybot': 10,
  'amazon/ip-addresses': 1100,
  'meta/geofeed': 12_000,
  'duckduckgo/duckassistbot': 480,
};

/** Bots of the generated log, each with the list that its addresses are in. */
export const bots: ReadonlyArray<readonly [userAgent: string, list: string | null]> = [
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    'openai/gptbot',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.3; robots.txt; +https://openai.com/searchbot)',
    'openai/searchbot',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'openai/chatgpt-user',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'anthropic/bots',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    'perplexity/perplexitybot',
  ],
  [
    'Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
    'amazon/ip-addresses',
  ],
  [
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta/geofeed',
  ],
  [
    'Mozilla/5.0 (compatible; DuckAssistBot/1.2; +http://duckduckgo.com/duckassistbot.html)',
    'duckduckgo/duckassistbot',
  ],
  ['Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com) AppleWebKit/537.36', null],
];

/** The ids of the lists. */
export const listIds: readonly string[] = Object.keys(sizes);

/** The networks of a list: each a /28 of its own, spread as those of clouds are. */
export function networksOf(id: string): readonly string[] {
  const first = 20 + 8 * listIds.indexOf(id);
  return Array.from({ length: sizes[id] ?? 0 }, (_, index) => {
    const spread = (index * 2_654_435_761) % 524_288;
    return `${first + (spread >> 16)}.${(spread >> 8) & 255}.${spread & 255}.${(index & 15) * 16}/28`;
  });
}

/** The file of a list, as its operator publishes it: a geofeed, a page that carries JSON, or JSON. */
export function listFile(id: string): string {
  const networks = networksOf(id);
  if (id === 'meta/geofeed') return networks.map((network) => `${network},US,,,\n`).join('');
  const json = JSON.stringify({
    creationTime: new Date(Date.now() - 20 * 86_400_000).toISOString(),
    prefixes: networks.map((ipv4Prefix) => ({ ipv4Prefix })),
  });
  return id.startsWith('amazon/') ? `<html><script>${json}</script></html>` : json;
}
