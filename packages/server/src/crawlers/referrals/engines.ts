/**
 * Answer engines that send visitors: their hosts, the packages of their Android apps, and what they write
 * as `utm_source` into their links. `docs/crawlers.md` shows the same table.
 */
export const referrers: Readonly<Record<string, string>> = {
  chatgpt: 'chatgpt.com chat.openai.com com.openai.chatgpt chatgpt',
  chatgpt_api: 'openai',
  perplexity: 'perplexity.ai ai.perplexity.app.android perplexity',
  gemini: 'gemini.google.com bard.google.com com.google.android.apps.bard gemini',
  copilot:
    'copilot.microsoft.com copilot.com copilot.cloud.microsoft m365.cloud.microsoft edgeservices.bing.com com.microsoft.copilot copilot',
  claude: 'claude.ai com.anthropic.claude claude',
  grok: 'grok.com ai.x.grok grok',
  mistral: 'chat.mistral.ai ai.mistral.chat mistral',
  deepseek: 'chat.deepseek.com com.deepseek.chat deepseek',
  meta_ai: 'meta.ai',
  duck_ai: 'duck.ai',
  you: 'you.com',
  poe: 'poe.com',
};

const engines = new Map(
  Object.entries(referrers).flatMap(([engine, words]) =>
    words.split(' ').map((word) => [word, engine] as const),
  ),
);

/** A whole host of the table, in the form that some platforms encode, too. */
const knownHost = new RegExp(
  String.raw`^[a-z][a-z-]*(?:://|%3a%2f%2f)(?:www\.)?(${Array.from(engines.keys(), (word) => word.replaceAll('.', String.raw`\.`)).join('|')})(?:[:/?#%]|$)`,
  'i',
);

/**
 * The answer engine that a visitor came from, by what the log has as `Referer` and as target. The target's
 * `utm_source` counts only without a `Referer`: people pass such links on, and a page's own links keep them.
 */
export function engineOf(referer: string | null, target: string): string | undefined {
  if (referer !== null && referer !== '-' && referer !== '') {
    return engines.get(knownHost.exec(referer)?.[1]?.toLowerCase() ?? '');
  }
  if (!target.includes('utm_source=')) return undefined;
  const [search = ''] = target.slice(target.indexOf('?') + 1).split(/[# ]/, 1);
  const source = new URLSearchParams(search).get('utm_source') ?? '';
  return engines.get(source.toLowerCase().replace(/^www\./, ''));
}
