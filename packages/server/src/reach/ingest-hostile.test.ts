// @module-tag slow

import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { combined } from '../../test/logs/drain-requests.ts';
import { nowMs } from '../../test/servers/api.ts';
import { post, receiverOf, serve } from '../../test/servers/receivers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createBodyReceiver } from '../crawlers/spool/receive-body.ts';
import { listSpool } from '../crawlers/spool/spool.ts';

const clock = () => nowMs;
const manyItems = `[${'{},'.repeat(50_000)}{}]`;

eachStore({ title: 'hostile senders of log lines', onBoth: false }, (open) => {
  test.each([
    ['a body over 10 MB', 413, 'body_too_large', randomBytes(10_000_001)],
    ['a bomb', 413, 'body_too_large', gzipSync(Buffer.alloc(33_000_000, 'x\n'))],
    ['a damaged body', 400, 'unreadable_body', gzipSync(combined('/a')).subarray(0, 60)],
    ['an archive', 400, 'unreadable_body', Buffer.from('504b0304000000', 'hex')],
    ['a long array', 413, 'body_too_large', gzipSync(`[{"a":"${'x'.repeat(4_200_000)}"}]`)],
    ['an array of many items', 413, 'body_too_large', gzipSync(manyItems)],
    ['NUL bytes', 400, 'unreadable_body', Buffer.from(`${combined('/a')}\0\n`)],
    ['UTF-16', 400, 'unreadable_body', Buffer.from(`\ufeff${combined('/a')}`, 'utf16le')],
  ] as const)('%s is refused with %i, and nothing is stored', async (_, status, code, body) => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    const response = await post(served, token, body);
    expect([response.status, JSON.parse(response.body).code]).toEqual([status, code]);
    expect(await listSpool(served.folder)).toEqual([]);
  });

  test('a request of Firehose that would become many values is refused before it is parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const receiveBody = createBodyReceiver();
    const receive = (records: string) =>
      receiveBody(
        Readable.from([Buffer.from(`{"records":[${records}]}`)]),
        { sender: 'acme', isEnvelope: true },
        async (lines) => lines.toString(),
      );
    const record = `{"data":"${btoa('line')}"}`;
    expect(await receive(`${record},${record}`)).toBe('line\nline\n');
    expect(await receive(Array.from({ length: 20_000 }, () => record).join())).toMatch(/^line\n/);
    const parsed = parse.mock.calls.length;
    expect(await receive(`${`${record},`.repeat(21_000)}${record}`)).toBe('too_large');
    expect(await receive('['.repeat(50_000))).toBe('too_large');
    expect(await receive(`{"data":"${'A'.repeat(8_000_000)}"}`)).toBe('too_large');
    expect(parse.mock.calls).toHaveLength(parsed);
  });

  test('a body that is cut off is not stored, and the server goes on', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    const url = new URL(served.url);
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `POST /ingest/${token} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 5000\r\n\r\n${combined('/a')}\n`,
      () => socket.destroy(),
    );
    await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    expect((await post(served, token, combined('/b'))).status).toBe(202);
    const [file, ...others] = await listSpool(served.folder);
    expect(others).toEqual([]);
    expect(await readFile(file?.path ?? '', 'utf8')).toBe(`${combined('/b')}\n`);
    expect(served.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('a sender that never finishes its body gets 408 and is closed', async () => {
    const { store } = await open({ clock });
    const served = await serve(store, { limits: { requestMs: 300 } });
    const { token } = await receiverOf(store, served.tenant);
    const url = new URL(served.url);
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `POST /ingest/${token} HTTP/1.1\r\nHost: ${url.host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('2\r\na\n\r\n'), 50);
    onTestFinished(() => clearInterval(drip));
    let response = '';
    socket.on('data', (bytes) => (response += String(bytes))).on('error', () => {});
    await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    expect(response).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
    expect(await listSpool(served.folder)).toEqual([]);
    expect(served.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('bodies that together would fill the memory are refused for the time being', async () => {
    const receiveBody = createBodyReceiver({ heldBytesMax: 200 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const receive = (sender: string, text: string, use: () => Promise<string>) =>
      receiveBody(Readable.from([Buffer.from(text)]), { sender }, use);
    const first = receive('first', 'x'.repeat(90), () => {
      begin();
      return promise;
    });
    await begun;
    const second = () => receive('second', 'x'.repeat(60), async () => 'stored');
    expect(await second()).toBe('busy');
    resolve('stored');
    expect(await first).toBe('stored');
    expect(await second()).toBe('stored');
  });

  test('a sender that holds back the ends of its bodies fills no more than half of the memory', async () => {
    const receiveBody = createBodyReceiver({ heldBytesMax: 2000 });
    const packed = gzipSync('x'.repeat(1900));
    const { promise: heldBack, resolve: sendEnds } = Promise.withResolvers<void>();
    async function* sendSlowly() {
      yield packed.subarray(0, -1);
      await heldBack;
      yield packed.subarray(-1);
    }
    const receive = (sender: string, body: AsyncIterable<Buffer>) =>
      receiveBody(body, { sender }, async () => 'stored');
    const bodies = Array.from({ length: Math.ceil(1000 / packed.length) + 1 }, sendSlowly);
    const slow = bodies.map((body) => receive('slow', body));
    expect(await slow.at(-1)).toBe('busy');
    expect(await receive('other', Readable.from([Buffer.alloc(400, 'x')]))).toBe('stored');
    sendEnds();
    expect(await Promise.all(slow)).toContain('stored');
    expect(await receive('slow', Readable.from([packed]))).toBe('stored');
  });

  test('a full spool refuses lines for the time being, and one receiver cannot fill it', async () => {
    const { store } = await open({ clock });
    const line = combined('/a');
    const served = await serve(store, { bytesMax: 4 * (line.length + 1) });
    const { token } = await receiverOf(store, served.tenant);
    const other = await receiverOf(store, served.tenant);
    const responses = [];
    for (const each of [token, token, token, token, other.token, other.token]) {
      responses.push(await post(served, each, line));
    }
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 503, 202, 503]);
    expect(responses[3]?.headers.get('retry-after')).toBe('5');
    expect(await readdir(served.folder)).toHaveLength(4);
  });

  test('a disk that takes no lines refuses them for the time being', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    await writeFile(served.folder, '');
    const response = await post(served, token, combined('/a'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });
});
