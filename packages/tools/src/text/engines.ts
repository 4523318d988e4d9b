import { isLocalModel, surfaceOf } from '@overheard/contract';

/** Whether an engine's answers come from its API rather than its app: they are not the same. */
export function isApi(engine: string): boolean {
  return surfaceOf(engine) === 'api';
}

/** Notes that name the engines of these rows that are APIs. */
export function apiNotes(engines: Iterable<string>): string[] {
  const named = [...new Set(engines)].toSorted();
  const locals = named.filter(isLocalModel);
  const apis = named.filter((engine) => isApi(engine) && !isLocalModel(engine));
  return [
    ...(apis.length > 0
      ? [`Answers of ${apis.join(', ')} come from an API, which people do not see: not the app's.`]
      : []),
    ...(locals.length > 0 ? [`${locals.join(', ')}: a local model, not what people see.`] : []),
  ];
}
