import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from '../bench.ts';

export type Browser = ReturnType<typeof openBrowser>;

/** A person who is signed in and sends the forms of pages. */
export function openBrowser({ port, session }: { port: number; session: string }) {
  const origin = `http://127.0.0.1:${port}`;
  const headers = { cookie: `__Host-overheard-${port}=${session}`, origin };
  return { pageText, timedRead, upload, track, waitForJob };

  function pageText(path: string): string {
    return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${headers.cookie}\r\n\r\n`;
  }

  async function read(path: string): Promise<string> {
    return (await timedRead(path)).body;
  }

  /** Reads a page, and measures how long it takes. */
  async function timedRead(path: string, more: Readonly<Record<string, string>> = {}) {
    const { result, ms } = await timed(async () => {
      const page = await fetch(origin + path, { headers: { ...headers, ...more } });
      return { page, body: await page.text() };
    });
    const { page, body } = result;
    if (page.status !== 200 && page.status !== 304)
      throw new Error(`${path} answered ${page.status}`);
    return { status: page.status, etag: page.headers.get('etag') ?? '', body, ms };
  }

  async function post(path: string, body: FormData | URLSearchParams): Promise<string> {
    const response = await fetch(origin + path, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  }

  /** Imports a file of answers; resolves when its job has been added. */
  async function upload(path: string, file: Blob): Promise<void> {
    const form = new FormData();
    form.set('form', hidden(await read(path), 'form'));
    form.set('rows', 'answers');
    form.set('file', file, 'answers.ndjson');
    await post(`${path}/import`, form);
  }

  /** Tracks a competitor, after a look at what it would do. */
  async function track(path: string, name: string): Promise<void> {
    const form = hidden(await read(`${path}/new`), 'form');
    const look = await post(`${path}/new`, new URLSearchParams({ form, name, do: 'look' }));
    const seen = hidden(look, 'seen');
    await post(`${path}/new`, new URLSearchParams({ form, name, seen, do: 'save' }));
  }

  /** Waits until the job of a page has ended; says whether it was still under way now. */
  async function waitForJob(path: string): Promise<string> {
    const isActive = async () => / waiting>/.test(await read(path));
    const words = (await isActive()) ? 'all the time' : 'part of the time';
    while (await isActive()) await sleep(200);
    if (!(await read(path)).includes('notice good')) throw new Error(`The job of ${path} failed`);
    return words;
  }
}

function hidden(page: string, name: string): string {
  return new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? '';
}
