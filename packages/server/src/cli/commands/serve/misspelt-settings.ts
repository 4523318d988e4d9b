import { nearest } from '@overheard/contract';
import { settings, variableOf } from '../../../config.ts';

const prefix = 'OVERHEARD_';
const names = new Set(Object.keys(settings).map(variableOf));
/** Variables that are no setting of a command: of the secret, and of `overheard-mcp`. */
const others = /^OVERHEARD_(?:SECRET(?:_BEFORE)?(?:_FILE)?|API_KEY|BASE_URL)$/;

/** Says which variables of the environment look like misspelt settings, because they do nothing. */
export function misspeltSettings(environment: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(prefix) || names.has(name) || others.test(name)) return [];
    const editsMax = Math.min(2, Math.floor((name.length - prefix.length) / 3));
    const meant = nearest(name, names, editsMax);
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}
