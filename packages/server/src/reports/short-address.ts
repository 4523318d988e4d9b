import { sql } from 'kysely';
import type { ReportSource } from './report-source.ts';

/** The letters of the short addresses: `/w/acme/a/3c1d` is the page of an answer. */
const letters = { runs: 'a', prompts: 'p', actions: 'g' } as const;

/** Makes the path of the page of a row, with the beginning of its id. */
export type AddressOf = (table: keyof typeof letters, id: string) => Promise<string>;

const lengthMin = 4;
/** Two more digits than today's rows need, so that an address stays unique with 256 times as many. */
const spare = 2;

/** Makes short addresses of one workspace. */
export async function createAddresses({ db, workspaceId }: ReportSource): Promise<AddressOf> {
  const { slug } = await db
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return async function addressOf(table, id) {
    const neighbour = async (isBefore: boolean) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where workspace_id = ${workspaceId}
        and id ${sql.raw(isBefore ? '<' : '>')} ${id}
        order by id ${sql.raw(isBefore ? 'desc' : 'asc')} limit 1`.execute(db);
      return rows[0]?.id ?? '';
    };
    // Among all ids, one of the two neighbours in their order shares the longest beginning.
    const shared = [await neighbour(true), await neighbour(false)].map((other) =>
      sharedLength(id, other),
    );
    const length = Math.max(lengthMin, ...shared.map((each) => each + 1 + spare));
    return `/w/${slug}/${letters[table]}/${id.slice(0, length)}`;
  };
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
