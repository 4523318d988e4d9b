import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { idOf, writeReading } from '../../../../test/stores/rows.ts';
import { createSqlite, eachDatabase } from '../../../../test/stores/stores.ts';
import type { AtTheEnd } from '../../../../test/stores/stores.ts';
import { setLimits, usualLimits } from '../../../collect/ledger/paced-engines.ts';
import { copiedTables } from '../../../storage/copy/copied-tables.ts';
import { copyBetween } from '../../../storage/open/copy-between.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';

const rowsOfEach = 7;

eachDatabase({ title: 'overheard database copy', onBoth: true }, (create, _, atTheEnd) => {
  test('a copy and its copy in an embedded database have the rows of every table, byte for byte', async () => {
    const [from, to, back] = [await filledFile(atTheEnd), await create(), await file(atTheEnd)];
    const there = digests(await runCommand(copy(from, to)));
    expect(there.map(({ table, rows }) => [table, rows])).toEqual(
      copiedTables.map(({ name }) => [name, name === 'ledger_home' ? 1 : rowsOfEach]),
    );
    const isOfRows = ({ table }: { table: string }) => table !== 'ledger_home';
    const again = digests(await runCommand(copy(to, back)));
    expect(again.filter(isOfRows)).toEqual(there.filter(isOfRows));
    expect(rowsIn(back)).toEqual(rowsIn(from));
    // The ledger is in another place, so that no sweep that the source may have asked is asked again.
    const ledger = new DatabaseSync(databaseFiles(sqlitePath(back)).ledger);
    expect(ledger.prepare('select home from ledger_home').get()).toEqual({ home: '[]' });
    ledger.close();

    const full = await runCommand(copy(from, to));
    expect(full).toMatchObject({ code: 1, stdout: '' });
    expect(full.stderr).toMatch(/^Nothing was copied: .* has rows in workspaces already/);
  });

  test('a second copy into the same database is refused while the first runs, which ends equal', async () => {
    const [from, to] = [await filledFile(atTheEnd), await create()];
    let second: Promise<unknown> | undefined;
    const onRows = () => {
      second ??= copyBetween({ from, to }, {}).then(
        () => 'copied',
        (error: unknown) => String(error),
      );
    };
    const slow = { onRows, rowsMax: 1 };
    const tables = await copyBetween({ from, to }, slow);
    expect(await second).toContain('copy_under_way');
    expect(tables).toEqual(digests(await runCommand(copy(from, await file(atTheEnd)))));
  });

  test(
    'a copy that was cut off after any number of rows is refused by other commands, and goes on to be equal',
    { tags: ['once'] },
    async () => {
      const [from, to] = [await filledFile(atTheEnd), await create()];
      for (const rows of [2, 100]) {
        const stop = new AbortController();
        let left = rows;
        const onRows = () => {
          left -= 1;
          if (left === 0) stop.abort();
        };
        await expect(
          copyBetween({ from, to }, { onRows, rowsMax: 1, signal: stop.signal }),
        ).rejects.toThrow('copy_stopped');
        const { code, stderr } = await runCommand(['workspace', 'list', '--database', to]);
        expect([code, stderr]).toEqual([1, expect.stringContaining('is a copy that was cut off')]);
      }
      const done = digests(await runCommand(copy(from, to)));
      expect(done).toEqual(digests(await runCommand(copy(from, await file(atTheEnd)))));
    },
  );

  test(
    'a copy is one moment of an embedded source that is written meanwhile, and a later run follows its changes',
    { tags: ['once'] },
    async () => {
      const [from, to] = [await filledFile(atTheEnd), await create()];
      const stop = new AbortController();
      const onRows = (table: string) => {
        if (table !== 'workspaces' || stop.signal.aborted) return;
        const database = new DatabaseSync(sqlitePath(from));
        database.exec("update prompts set text = 'Later'; update workspaces set name = 'Later'");
        database.close();
      };
      const before = digests(await runCommand(copy(from, await file(atTheEnd))));
      const during = await copyBetween(
        { from, to },
        {
          onRows: (table) => {
            onRows(table);
            if (table === 'hits') stop.abort();
          },
          rowsMax: 3,
          signal: stop.signal,
        },
      ).catch((error: unknown) => String(error));
      expect(during).toContain('copy_stopped');
      const store = await openStore(to, { mayBeUnfinished: true });
      const names = await store.reader.selectFrom('workspaces').select('name').execute();
      await store.close();
      expect(names.map(({ name }) => name)).not.toContain('Later');

      const after = digests(await runCommand(copy(from, to)));
      const changed = after.filter(({ digest }, place) => digest !== before[place]?.digest);
      expect(changed.map(({ table }) => table).toSorted()).toEqual(['prompts', 'workspaces']);
    },
  );
});

test('the comparison at the end finds rows that something else has changed in the copy', async () => {
  const atTheEnd: AtTheEnd = (clean) => onTestFinished(clean);
  const [from, to] = [await filledFile(atTheEnd), await file(atTheEnd)];
  const onRows = (table: string) => {
    if (table !== 'workspaces') return;
    const database = new DatabaseSync(sqlitePath(to));
    database.exec("update workspaces set name = 'Other' where name like 'Z%'");
    database.close();
  };
  await expect(copyBetween({ from, to }, { onRows })).rejects.toThrow('copy_differs');
});

test('a copy asks no engine until a person switches it on, and has the paid questions of its own source alone', async () => {
  const atTheEnd: AtTheEnd = (clean) => onTestFinished(clean);
  const [asked, unasked, to] = [await file(atTheEnd), await file(atTheEnd), await file(atTheEnd)];
  for (const url of [asked, unasked]) {
    const store = await openStore(url, { mayCreate: true });
    if (url === asked) {
      await writeReading(store, idOf(1));
      await setLimits(store, 'openai_api', usualLimits);
    }
    await store.close();
  }
  const stop = new AbortController();
  const onRows = (table: string) => {
    if (table === 'readings') stop.abort();
  };
  const cutOff = copyBetween({ from: asked, to }, { onRows, signal: stop.signal });
  await expect(cutOff).rejects.toThrow('copy_stopped');
  const read = (sentence: string) => {
    const ledger = new DatabaseSync(databaseFiles(sqlitePath(to)).ledger, { readOnly: true });
    onTestFinished(() => ledger.close());
    return ledger.prepare(sentence).all();
  };
  expect(read('select prompt_id from readings')).toHaveLength(1);
  await copyBetween({ from: unasked, to }, {});
  expect(read('select prompt_id from readings')).toEqual([]);
  const second = await file(atTheEnd);
  await copyBetween({ from: asked, to: second }, {});
  const ledger = new DatabaseSync(databaseFiles(sqlitePath(second)).ledger, { readOnly: true });
  expect(ledger.prepare('select off_reason from paces').all()).toEqual([
    { off_reason: 'restored' },
  ]);
  ledger.close();
});

function copy(from: string, to: string): string[] {
  return ['database', 'copy', '--from', from, '--to', to, '--json'];
}

function digests({ code, stdout, stderr }: Awaited<ReturnType<typeof runCommand>>) {
  expect(code, stderr).toBe(0);
  const row = z.object({ table: z.string(), rows: z.number(), digest: z.string() });
  return z.object({ tables: z.array(row) }).parse(JSON.parse(stdout)).tables;
}

function file(atTheEnd: AtTheEnd): Promise<string> {
  return createSqlite(atTheEnd, { isMigrated: false });
}

/** An embedded database with rows in every table: text that locales sort differently, nulls, bytes. */
async function filledFile(atTheEnd: AtTheEnd): Promise<string> {
  const url = await file(atTheEnd);
  const store = await openStore(url, { mayCreate: true });
  const ledger = await store.ledger({ mayCreate: true });
  const parts = { data: store.writer, access: store.access, ledger: ledger?.db ?? store.writer };
  for (const { part, name, columns } of copiedTables.filter(
    (each) => each.name !== 'ledger_home',
  )) {
    for (let row = 0; row < rowsOfEach; row++) {
      const values = Object.values(columns).map(({ type, isNullable = false }, place) => {
        if (isNullable && (row + place) % 3 === 0) return null;
        if (type === 'text') return `${['a', 'Z', 'é', 'ﬁ', '😀', 'ö', '𝒳'][row]} ${place}`;
        if (type === 'bytes') return new Uint8Array([row, 0, 255, place]);
        if (type === 'boolean') return row % 2 === 0;
        if (type === 'double') return row + 0.1;
        return type === 'bigint' ? 2 ** 40 + row : row;
      });
      await sql`insert into ${sql.table(name)} (${sql.join(Object.keys(columns).map((each) => sql.ref(each)))}) values (${sql.join(values)})`.execute(
        parts[part],
      );
    }
  }
  // A copy switches the other engines off.
  await sql`update paces set off_reason = 'restored' where off_reason is null`.execute(
    parts.ledger,
  );
  await store.close();
  return url;
}

function rowsIn(url: string): Record<string, unknown> {
  const files = databaseFiles(sqlitePath(url));
  return Object.fromEntries(
    copiedTables
      .filter(({ name }) => name !== 'ledger_home')
      .map(({ part, name, key }) => {
        const database = new DatabaseSync(files[part], { readOnly: true });
        const rows = database.prepare(`select * from "${name}" order by ${key.join(', ')}`).all();
        database.close();
        return [name, rows];
      }),
  );
}
