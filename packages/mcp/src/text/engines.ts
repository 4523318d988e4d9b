import { surfaceOf } from '@overheard/contract';

/** Whether an engine's answers come from its API rather than its app: they are not the same. */
export function isApi(engine: string): boolean {
  return surfaceOf(engine) === 'api';
}

/** Notes that name the engines of these rows that are APIs. */
export function apiNotes(engines: Iterable<string>): string[] {
  const apis = [...new Set(engines)].filter(isApi).toSorted();
  if (apis.length === 0) return [];
  return [
    `Answers of ${apis.join(', ')} come from an API, which people do not see: not the app's.`,
  ];
}
