/** Why an engine is not asked, and what to do. */
export function switchedOffWords(engine: string, reason: string): string {
  if (reason === 'disabled') return `off: switched on again by \`overheard engine add ${engine}\``;
  return `off because of ${reason}: check its key, quota, model and address, then run \`overheard engine add ${engine}\``;
}
