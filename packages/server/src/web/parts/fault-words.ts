/** Why an engine gave no answer, in words. */
export function faultWords(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    unreached: 'There is no connection to its address. Nothing was sent.',
    wait: 'It is overloaded, or your limit is reached. Try again later.',
    switch_off: 'It refuses the key or its account. Check the key, its credit and permissions.',
    rejected: 'It rejects the request. Check the model and the address.',
    unclear: 'It gave no complete response. The question may have been billed.',
    unreadable: 'It responded in a form that cannot be read. Check the address.',
  };
  return words[kind] ?? 'It gave no answer that counts.';
}
