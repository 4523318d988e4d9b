import type {
  Kysely,
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from 'kysely';
import { DatabaseError } from 'pg';
import type { Pool } from 'pg';
import { inChunks } from '../chunks.ts';
import type { DataTables } from '../schema.ts';
import type { CompileRows, RowStatement } from '../store.ts';

/**
 * The pool in the form that Kysely uses. A connection with an error is closed and not used again,
 * because a statement that timed out may still be running there and would delay the next user.
 */
export function createKyselyDriver(
  pool: Pool,
  { hidesWorkspace }: { hidesWorkspace: boolean },
): PostgresPool {
  const rewrite = hidesWorkspace ? hideWorkspace : (text: string) => text;
  return {
    options: {},
    connect: async () => toPoolClient(await pool.connect(), rewrite),
    end: () => pool.end(),
  };
}

/**
 * Hides which workspace a statement is about from the planner, because its statistics do not know a
 * workspace that came since: it then expects one row, and takes any index that begins with the
 * workspace, such as one that reads all of it to find a day. With a value that it does not see it
 * expects the largest workspace (see `planForLargestWorkspace`). Citus must see the value to find the
 * shard.
 * https://www.postgresql.org/docs/current/row-estimation-examples.html
 */
function hideWorkspace(text: string): string {
  return text.replaceAll(/(\bworkspace_id"? = )(\$\d+)/g, '$1(select $2)');
}

function toPoolClient(
  client: PostgresPoolClient,
  rewrite: (text: string) => string,
): PostgresPoolClient {
  let isBroken = false;
  return { query, release: (destroy = false) => client.release(destroy || isBroken) };

  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    what: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof what !== 'string') return client.query(what);
    return client.query<Row>(rewrite(what), values).catch((error: unknown) => {
      isBroken ||= !isAnswer(error);
      throw error;
    });
  }
}

/**
 * Whether the server refused the statement but keeps the connection. False if the server ends the
 * connection (08, 57P, 25P03), or is a standby (25006), because the next connection may lead to the
 * primary.
 */
function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|25|57P)/.test(error.code ?? '');
}

/** Most rows in one statement. A round trip for each row would cost more than the row. */
const rowsMax = 200;

/** Runs one statement for many rows, compiled once for each number of rows. */
export function createRowStatement<Row extends object, Returned>(
  db: Kysely<DataTables>,
  compile: CompileRows<Row, Returned>,
): RowStatement<Row, Returned> {
  const compiled = new Map<number, ReturnType<typeof compile>>();

  return async function runForRows(rows) {
    const returned: Returned[] = [];
    for (const chunk of inChunks(rows, rowsMax)) {
      const query = compiled.get(chunk.length) ?? compile(chunk);
      compiled.set(chunk.length, query);
      const parameters = chunk.flatMap(Object.values);
      const { rows: returnedRows } = await db.executeQuery<Returned>({ ...query, parameters });
      for (const row of returnedRows) returned.push(row);
    }
    return returned;
  };
}
