const appPages: ReadonlyArray<readonly [page: RegExp, engine: string]> = [
  [/^https:\/\/(?:www\.)?chatgpt\.com\b/, 'chatgpt'],
  [/^https:\/\/(?:www\.)?perplexity\.ai\b/, 'perplexity'],
  [/^https:\/\/gemini\.google\.com\b/, 'gemini'],
  [/^https:\/\/copilot\.microsoft\.com\b/, 'copilot'],
  [/^https:\/\/(?:grok\.com|x\.com\/i\/grok)\b/, 'grok'],
  [/^https:\/\/(?:www\.)?google\.[a-z.]+\//, 'google_ai_mode'],
];

/** The engine of the page that was asked; undefined for other pages. */
export function engineOfPage(url: string): string | undefined {
  return appPages.find(([page]) => page.test(url))?.[1];
}
