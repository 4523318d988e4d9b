/**
 * Every statement that this process sends to a database, with its parameters. They are taken from
 * the drivers, so that none goes unseen.
 */
import { StatementSync } from 'node:sqlite';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** A statement in PostgreSQL's notation, without quotes around names. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records statements from now until the end of the test. */
export function recordStatements(): { readonly sent: () => readonly SentStatement[] } {
  const sent: SentStatement[] = [];
  const note = (text: unknown, values: unknown) => {
    sent.push({ text: numbered(String(text)), values: Array.isArray(values) ? values : [] });
  };
  for (const name of ['all', 'get', 'run', 'iterate']) {
    watch(StatementSync.prototype, name, (statement, values) => {
      note(Reflect.get(statement, 'sourceSQL'), values);
    });
  }
  watch(Client.prototype, 'query', (_client, [config, values]) => {
    if (typeof config === 'string') note(config, values);
    else note(Reflect.get(Object(config), 'text'), Reflect.get(Object(config), 'values') ?? values);
  });
  return { sent: () => sent };
}

/** Has `seen` told of every call of a method until the end of the test. */
function watch(
  prototype: object,
  name: string,
  seen: (self: object, args: readonly unknown[]) => void,
): void {
  const original = Reflect.get(prototype, name);
  Reflect.set(prototype, name, function watched(this: object, ...args: unknown[]) {
    seen(this, args);
    return Reflect.apply(original, this, args);
  });
  onTestFinished(() => {
    Reflect.set(prototype, name, original);
  });
}

/**
 * SQLite's `?` as `$1`, names without quotes, and no subquery around the workspace's id
 * (`storage/postgres/kysely-driver.ts`).
 */
function numbered(text: string): string {
  let number = 0;
  return text
    .replaceAll('"', '')
    .replaceAll('?', () => `$${++number}`)
    .replaceAll(
      /workspace_id = \(select (\$\d+)\)/g,
      (_, parameter) => `workspace_id = ${parameter}`,
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
}
