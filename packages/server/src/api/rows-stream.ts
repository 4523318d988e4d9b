import type { Store } from '../storage/store.ts';
import type { Reading } from './endpoint.ts';
import type { Page, PreparedQuery } from './served-endpoints.ts';

/**
 * The text of an answer that is too long for one statement, slice by slice from one snapshot, so
 * that neither memory nor the event loop notices its length. The snapshot is released at the end,
 * also where the reader leaves early.
 */
export async function* streamRows({
  store,
  array,
  reading,
  prepared,
}: {
  store: Store;
  /** Name of the one array in the answer. */
  array: string;
  reading: Omit<Reading, 'db'>;
  prepared: PreparedQuery;
}): AsyncGenerator<string> {
  const snapshot = await store.snapshot();
  try {
    const whole = { ...reading, db: snapshot.db };
    let page: Page | undefined = await prepared.read(whole);
    let separator = `{${JSON.stringify(array)}:[`;
    while (page !== undefined) {
      const rows = JSON.stringify(page.rows).slice(1, -1);
      if (rows !== '') {
        yield separator + rows;
        separator = ',';
      }
      page = await page.next?.(whole);
    }
    yield separator === ',' ? ']}' : `${separator}]}`;
  } finally {
    await snapshot.release();
  }
}
