import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentHits, answers, detections, scores } from '@overheard/contract';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { removeAnswers } from '../../packages/server/src/answers/remove/remove-answers.ts';
import { hits as hitRows } from '../../packages/server/src/transfer/resources/hits.ts';
import { aWorkspace, importRows, now } from '../../packages/server/test/answers/answers.ts';
import { importText } from '../../packages/server/test/answers/transferring.ts';
import { call, startApi } from '../../packages/server/test/servers/api.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { repository } from '../source-files.ts';
import { runShell } from './run-shell.ts';

const read = (name: string): string => readFileSync(join(repository, 'examples', name), 'utf8');
const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
const clock = () => now;
const listed = z.record(z.string(), z.array(z.unknown()));

const asked = [18, 19, 20].flatMap((day) =>
  ['chatgpt', 'claude'].map((engine) => ({
    prompt: 'Which tool suits a small agency?',
    engine,
    run_at: `2026-11-${day}T06:00:00Z`,
    answer: day === 19 ? 'Globex.' : 'Acme, or Globex.',
  })),
);
const hit = {
  bot_name: 'GPTBot',
  bot_company: 'OpenAI',
  category: 'crawler',
  path: '/pricing',
  method: 'GET',
  status: 200,
  verification: 'verified',
  hit_at: '2026-11-19T05:00:00Z',
};

/** A folder that is removed after the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-recipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server with answers and hits, and a shell that knows its address and a key. */
async function serve() {
  const store = await openStore(`file:${join(newFolder(), 'overheard.db')}`, {
    mayCreate: true,
    clock,
  });
  onTestFinished(() => store.close());
  const workspaceId = await aWorkspace(store);
  await importRows(store, workspaceId, asked);
  await importText(store, { workspaceId, resource: hitRows }, JSON.stringify(hit));
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  const api = await startApi(store, { clock });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const shell = async (script: string): Promise<string> => {
    const environment = `export OVERHEARD_URL=${url} OVERHEARD_KEY=${key}\n`;
    const { code, output } = await runShell(environment + script);
    expect([code, output]).toEqual([0, expect.any(String)]);
    return output;
  };
  const served = async (path: string) =>
    Object.values(listed.parse((await call(api, `/api/v1/${path}`, { key })).json())).flat();
  return { store, workspaceId, url, shell, served };
}

const copiedKinds = ['scores', 'answers', 'detections', 'hits'];
const filesOf = (folder: string, kind: string) =>
  readdirSync(join(folder, kind)).map((name) => join(folder, kind, name));

/** Expects that a copy has the rows that the API serves. */
async function expectCopy(folder: string, served: (path: string) => Promise<unknown[]>) {
  for (const kind of copiedKinds) {
    const copied = filesOf(folder, kind).flatMap((file): unknown[] =>
      z.array(z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8'))),
    );
    const rows = await served(kind === 'hits' ? 'agent-hits' : kind);
    expect(rows.length).toBeGreaterThan(0);
    expect(copied).toHaveLength(rows.length);
    expect(copied).toEqual(expect.arrayContaining(rows));
  }
}

test('the copy that follows changes equals the API, and a later call writes only the days that changed', async () => {
  const { store, workspaceId, shell, served } = await serve();
  const folder = newFolder();
  const files = (kind: string) => filesOf(folder, kind);
  await shell(`node examples/pull.ts ${folder}`);
  await expectCopy(folder, served);

  for (const file of copiedKinds.flatMap(files)) utimesSync(file, 1, 1);
  const day = '2026-11-19';
  await removeAnswers(store, { workspaceId, choice: { from: day, to: day }, clock });
  await importRows(store, workspaceId, [{ ...asked[0], run_at: '2026-11-20T09:00:00Z' }]);
  await shell(`node examples/pull.ts ${folder}`);
  await expectCopy(folder, served);
  const written = copiedKinds.flatMap(files).filter((file) => statSync(file).mtimeMs > 1000);
  expect(written.map((file) => file.slice(folder.length + 1))).toEqual([
    'scores/2026-11-20.json',
    'answers/2026-11-20.json',
    'detections/2026-11-20.json',
  ]);
});

test('the copy that follows changes loses no write between two of its requests', async () => {
  const { store, workspaceId, url, shell, served } = await serve();
  const paths: string[] = [];
  const proxy = createServer((request, response) => {
    void respond(String(request.url), String(request.headers.authorization)).then(
      ({ link, text }) => response.writeHead(200, { Link: link }).end(text),
    );
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = z.object({ port: z.number() }).parse(proxy.address());
  const folder = newFolder();
  await shell(`export OVERHEARD_URL=http://127.0.0.1:${port}; node examples/pull.ts ${folder}`);
  expect(paths).toContain('/api/v1/scores?');
  await expectCopy(folder, served);

  async function respond(path: string, Authorization: string) {
    // Write before each of the first requests, whatever the program reads first.
    if (paths.push(path) <= 4) {
      const runAt = `2026-11-20T10:00:0${paths.length}Z`;
      await importRows(store, workspaceId, [{ ...asked[0], run_at: runAt }]);
    }
    const response = await fetch(new URL(path, url), { headers: { Authorization } });
    return { link: response.headers.get('link') ?? '', text: await response.text() };
  }
});

test.runIf(has('duckdb'))(
  'DuckDB adds up the citation rate of the copy',
  { tags: ['long'] },
  async () => {
    const { shell } = await serve();
    const output = await shell(`
      node examples/pull.ts copy
      sed 's/current_date/date '"'2026-11-20'"'/' examples/duckdb.sql | duckdb -list -noheader copy.duckdb`);
    expect(output).toContain('chatgpt|2|3|0.6667\nclaude|2|3|0.6667');
  },
);

test(
  'the typed client waits for the quota and a lost connection, ends after the last page, and says why a request is refused',
  { tags: ['long'] },
  async () => {
    const { shell } = await serve();
    const output = await shell(`node --input-type=module -e '
      import { createServer } from "node:http";
      import { createClient } from "./examples/client.ts";
      let calls = 0;
      const server = createServer((request, response) => {
        calls += 1;
        if (calls === 1) response.writeHead(429, { "Retry-After": "1" }).end("{}");
        else if (calls === 2) request.socket.destroy();
        else response.end(JSON.stringify({ subjects: [{ name: "Acme" }] }));
      }).listen(0, "127.0.0.1", async () => {
        const url = "http://127.0.0.1:" + server.address().port;
        const found = await createClient({ url, key: "k" }).all("subjects");
        console.log("FOUND", JSON.stringify(found), calls);
        server.close();
      });
      const { OVERHEARD_URL, OVERHEARD_KEY } = process.env;
      const live = createClient({ url: OVERHEARD_URL, key: OVERHEARD_KEY });
      const [report] = await live.all("report");
      const paged = await live.all("answers", { limit: "2" });
      const days = await live.all("changes");
      console.log("LIVE", report.subjects[0].name, paged.length, days.length);
      await live.all("shares", { by: "nothing" }).catch(({ message }) => console.log(message));
    '`);
    expect(output).toContain('FOUND [{"name":"Acme"}] 3');
    expect(output).toContain('LIVE Acme 6 10');
    expect(output).toMatch(/^\/api\/v1\/shares responds with 400: .*"invalid_parameter"/m);
  },
);

test.runIf(has('jq'))(
  'the GitHub Action writes the story and a table',
  { tags: ['long'] },
  async () => {
    const { shell } = await serve();
    const steps = [...read('github-action.yml').matchAll(/run: \|\n((?: {10}.*\n)+)/g)];
    expect(steps).toHaveLength(2);
    const output = await shell(`
      export GITHUB_STEP_SUMMARY=summary.md
      ${steps.map(([, script]) => script).join('\n')}
      cat summary.md`);
    expect(output).toContain('Too little to compare yet');
    expect(output).toContain('| Acme | 4 | 6 | too_few |\n| Globex | 6 | 6 | too_few |');
  },
);

test(
  'the Google Sheets script writes the scores of a server under their columns',
  { tags: ['long'] },
  async () => {
    const { shell, served } = await serve();
    const output = await shell(`node --input-type=module -e '
      import { execFileSync } from "node:child_process";
      import { readFileSync } from "node:fs";
      import { createContext, runInContext } from "node:vm";
      const written = [];
      const sheet = {
        clearContents() { written.length = 0; },
        getRange: (...range) => ({ setValues: (values) => written.push({ range, values }) }),
      };
      const context = createContext({
        PropertiesService: {
          getScriptProperties: () => ({ getProperty: (name) => process.env[name] }),
        },
        UrlFetchApp: {
          fetch(url, { headers }) {
            const line = "Authorization: " + headers.Authorization;
            const text = execFileSync("curl", ["-sSf", "-H", line, url], { encoding: "utf8" });
            return { getContentText: () => text, getResponseCode: () => 200 };
          },
        },
        SpreadsheetApp: {
          getActiveSpreadsheet: () => ({ getSheetByName: () => null, insertSheet: () => sheet }),
        },
      });
      runInContext(readFileSync("examples/google-sheets.gs", "utf8") + "pullScores()", context);
      console.log(JSON.stringify(written));
    '`);
    const rows = (await served('scores')).map((score) => Object.values(Object(score)));
    expect(rows).toHaveLength(6);
    expect(JSON.parse(output)).toEqual([
      { range: [1, 1, 7, scores.fields.length], values: [scores.fields, ...rows] },
    ]);
  },
);

test('dbt has each field of the rows that changes names, in its order, and DuckDB a view of each kind', () => {
  const kinds = [scores, detections, answers, agentHits];
  const tables = read('dbt-sources.yml')
    .split(/\n {6}- name: /)
    .slice(1);
  const columns = tables.map((table) => [
    table.split('\n')[0],
    [...table.matchAll(/\n {10}- name: (\w+)/g)].map(([, name]) => name),
  ]);
  expect(columns).toEqual(kinds.map(({ array, fields }) => [array, fields]));
  const views = [...read('duckdb.sql').matchAll(/view (\w+) as .*'copy\/(\w+)\/\*\.json'/g)];
  expect(views.map(([, view, kind]) => [view, kind])).toEqual(
    kinds.map(({ array }) => [array, array]),
  );
});
