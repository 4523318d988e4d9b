import type { Surface } from '@overheard/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Whether the engine of a row is an app or an API, by the end of its slug. */
export function isOfSurface(surface: Surface | undefined): RawBuilder<boolean> {
  return surface === 'api'
    ? sql<boolean>`engine like '%!_api' escape '!'`
    : sql<boolean>`engine not like '%!_api' escape '!'`;
}
