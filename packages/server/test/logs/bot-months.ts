/** Months of a few bots, in which something happens to them. */
import type { Store } from '../../src/storage/store.ts';
import { addDays } from '../../src/values/time/utc-day.ts';
import { newTenant } from '../servers/api.ts';
import { aHit, writeRows } from '../stores/rows.ts';
import type { Hit } from '../stores/rows.ts';

/** The last day of the months. */
export const to = '2026-11-23';
const bots = {
  search: { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' },
  training: { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler' },
  claude: { bot_name: 'Claude-User', bot_company: 'Anthropic', category: 'user' },
} as const;

type Change = Partial<Hit> | null;

/** Five requests of a bot on each of thirty days up to `to`, changed by the day; null leaves a day out. */
export function month(
  bot: keyof typeof bots,
  changeOf: (date: string) => Change = () => ({}),
): Hit[] {
  return Array.from({ length: 30 }, (_, day) => addDays(to, -day)).flatMap((date) => {
    const change = changeOf(date);
    if (change === null) return [];
    return Array.from({ length: 5 }, (_, hour) =>
      aHit({ ...bots[bot], host: 'acme.com', hit_at: `${date}T0${hour}:00:00.000Z`, ...change }),
    );
  });
}

/** A change from a day on. */
export const since =
  (from: string, change: Change) =>
  (date: string): Change =>
    date >= from ? change : {};

/** Requests whose sender is unknown or forged, on each of some days. */
export function others(from: string, count: number, change: Partial<Hit>): Hit[] {
  return Array.from({ length: 30 }, (_, day) => addDays(from, day))
    .filter((date) => date <= to)
    .flatMap((date) =>
      Array.from({ length: count }, () =>
        aHit({ ...bots.search, hit_at: `${date}T12:00:00.000Z`, ...change }),
      ),
    );
}

/** A hit whose address is a proxy's. */
export const proxied = {
  verification: 'unverified',
  evidence: '{"reason":"proxy_address"}',
} as const;

export interface Seed {
  readonly hits: readonly Hit[];
  readonly robots?: ReadonlyArray<readonly [at: string, content: string]>;
}

/** Makes a workspace with the hits of a seed, and counts them. */
export async function seedWorkspace(store: Store, { hits, robots = [] }: Seed) {
  const tenant = await newTenant(store);
  const { workspaceId } = tenant;
  await writeRows(store, workspaceId, { hits });
  for (const [at, content] of robots) {
    const row = { workspace_id: workspaceId, host: 'acme.com', status: null, content };
    await store.writer
      .insertInto('robots_files')
      .values({ ...row, from_at: `${at}T00:00:00.000Z` })
      .execute();
  }
  return tenant;
}
