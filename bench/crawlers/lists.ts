/** Lists of some 500 networks, in which the generated crawlers' addresses are. */
export const lists: Readonly<Record<string, string>> = {
  'openai/gptbot': '20.171.207.0/24',
  'openai/chatgpt-user': '23.98.142.0/24',
  'anthropic/bots': '216.73.216.0/22',
  'perplexity/perplexitybot': '18.97.9.0/24',
};

/** The networks of such a list. */
export function networksOf(network: string): readonly string[] {
  const others = Array.from(
    { length: 500 },
    (_, index) => `100.${index >> 2}.${(index & 3) * 64}.0/20`,
  );
  return [...others, network];
}

/** The file of such a list, as operators publish them. */
export function listFile(network: string): string {
  return JSON.stringify({
    creationTime: new Date().toISOString(),
    prefixes: networksOf(network).map((ipv4Prefix) => ({ ipv4Prefix })),
  });
}
