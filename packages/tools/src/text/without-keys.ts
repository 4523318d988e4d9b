import { keyPattern } from '@overheard/contract';

const keys = new RegExp(keyPattern, 'g');

/**
 * A text without anything that looks like a key: a person may have put a key in the wrong place.
 */
export function withoutKeys(text: string): string {
  return text.replaceAll(keys, 'overheard_...');
}
