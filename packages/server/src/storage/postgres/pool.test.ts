import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachStore } from '../../../test/stores.ts';
import { UnavailableError } from '../../problems.ts';
import type { Store } from '../store.ts';

eachStore('connections', (open, dialect) => {
  test.runIf(dialect === 'postgres')(
    'of reads may not write and have a time limit, which the database itself keeps; those of writes have none',
    async () => {
      const { store } = await open();
      const limitOf = async (db: Store['reader']) =>
        (await sql`show statement_timeout`.execute(db)).rows;
      expect(await limitOf(store.reader)).toEqual([{ statement_timeout: '7s' }]);
      expect(await limitOf(store.writer)).toEqual([{ statement_timeout: '0' }]);
      const write = store.reader.deleteFrom('prompts').execute().catch(store.mapFailure);
      expect(await write).toBeInstanceOf(UnavailableError);
    },
  );
});
