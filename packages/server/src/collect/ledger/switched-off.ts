/** Whether a person decided that an engine is not asked: nothing is wrong with it. */
export function isOffByChoice(reason: string | null): boolean {
  return reason === 'disabled' || reason === 'not_chosen';
}

/** Explains why an engine is not asked, and what to do. */
export function switchedOffWords(engine: string, reason: string): string {
  if (reason === 'disabled') return `off: switched on again by \`overheard engine add ${engine}\``;
  if (reason === 'not_chosen') {
    return 'not among the engines of this workspace: `overheard budget set --engine` names them';
  }
  if (reason === 'restored') {
    return `off because this ledger comes from a backup. Run \`overheard engine add ${engine}\` to ask it again. Sweeps of the day that have begun by then are not asked`;
  }
  return `off because of ${reason}: check its key, quota, model and address, then run \`overheard engine add ${engine}\``;
}
