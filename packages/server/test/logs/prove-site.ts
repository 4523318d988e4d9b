import type { Store } from '../../src/storage/store.ts';

const dayMs = 86_400_000;

/**
 * Stores the votes of two operators on the day before a day and the day after it, so that proof surrounds
 * the day. They are of hosts that are no own site.
 */
export async function proveSite(
  { writer }: Store,
  workspaceId: string,
  date = '2026-11-20',
): Promise<void> {
  const day = Date.parse(date) / dayMs;
  await writer
    .insertInto('hit_votes')
    .values(
      [day - 1, day + 1].flatMap((near) =>
        ['Anthropic', 'Mistral'].map((operator) => ({
          workspace_id: workspaceId,
          day: near,
          verdict: 'verified' as const,
          site: '',
          operator,
          network: 'n',
          hits: 1,
        })),
      ),
    )
    .execute();
}
