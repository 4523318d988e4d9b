import { afterEach, beforeEach } from 'vitest';
import { connectHost } from './connect.ts';
import { startFakeOverheard } from './fake-overheard.ts';
import type { FakeOverheard } from './fake-overheard.ts';

type Host = Awaited<ReturnType<typeof connectHost>>;

/** Starts a fake server for each test of a file, and a host that is connected to it. */
export function useFakeHost(): { readonly fake: FakeOverheard; readonly host: Host } {
  const started: { fake?: FakeOverheard; host?: Host } = {};
  beforeEach(async () => {
    const fake = await startFakeOverheard();
    Object.assign(started, { fake, host: await connectHost({ url: fake.url }) });
  });
  afterEach(async () => {
    await started.host?.close();
    await started.fake?.close();
  });
  return {
    get fake() {
      return present(started.fake);
    },
    get host() {
      return present(started.host);
    },
  };
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('It starts before each test, not before the file.');
  return value;
}
