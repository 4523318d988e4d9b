/** Where an operator publishes a list of networks. */
export const rangeFile = { id: 'openai/gptbot', url: 'https://operator.example/gptbot.json' };

/** A list as operators publish it. */
export function asJson(prefixes: readonly string[]): string {
  return JSON.stringify({ prefixes: prefixes.map((ipv4Prefix) => ({ ipv4Prefix })) });
}
