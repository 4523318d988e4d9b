import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import {
  everythingStored,
  noon,
  plantedKey,
  startCollecting,
} from '../../../../test/engines/collecting.ts';
import { call, startApi } from '../../../../test/servers/api.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const secret = 'sk-planted-0123456789abcdef';

eachDatabase('engine add', (create) => {
  test('a key in place of an address or of a variable’s name is refused, and shown and stored nowhere', async () => {
    const url = await create();
    await runCommand([
      'workspace',
      'create',
      'acme',
      '--name',
      'Acme',
      '--brand',
      'Acme',
      '--database',
      url,
    ]);
    for (const more of [
      ['--key-variable', secret],
      ['--key-variable', `Bearer ${secret}`],
      ['--base-url', `https://:${secret}@gateway.example.com/v1`],
      ['--base-url', `https://gateway.example.com/v1?key=${secret}`],
      ['--base-url', `https://gateway.example.com/v1#${secret}`],
    ]) {
      const outcome = await runCommand([
        'engine',
        'add',
        'chatgpt_api',
        ...more,
        '--database',
        url,
      ]);
      expect(outcome, more.join(' ')).toMatchObject({ code: 2 });
      expect(JSON.stringify(outcome), more.join(' ')).not.toContain(secret);
    }
    expect(await everythingStored(url)).not.toContain(secret);
  });
});

eachDatabase('a key that an engine repeats wherever it can', (create) => {
  test('a key that an engine repeats is in no table, evidence, output or metric', async () => {
    const key = `${plantedKey}/a+b`;
    const leaks = {
      id: key,
      model: `m-${key}`,
      choices: [
        {
          message: {
            content: `Acme ${key}`,
            annotations: [
              { url: `https://acme.com/?key=${key}`, title: key },
              { url: `https://acme.com/?key=${encodeURIComponent(key)}` },
            ],
          },
        },
      ],
      usage: { cost: 0.001 },
    };
    const here = await startCollecting(
      await create(),
      { prompts: 3 },
      // As PHP writes JSON.
      (response) => response.end(JSON.stringify(leaks).replaceAll('/', '\\/')),
      { status: 400, headers: { 'x-echo': key }, json: { error: { code: key, message: key } } },
      { json: leaks },
    );
    const run = (line: string) =>
      runCommand([...line.split(' '), '--database', here.url], {
        clock: () => noon,
        environment: { OWN_KEY: key },
        mayReachPrivate: true,
      });
    const outputs = [
      await run('collect run --workspace acme --now --at-once 1 --json'),
      await run('collect status --workspace acme --json'),
      await run('export detections --workspace acme'),
      await run('engine list --json'),
      await run('doctor'),
    ];
    expect(here.sent).toHaveLength(3);
    expect(outputs[0]?.stdout).toContain('"done": 2');
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const metrics = await call(await startApi(store), '/metrics');
    expect(metrics.statusCode).toBe(200);
    const all = JSON.stringify([outputs, metrics.body, await everythingStored(here.url)]);
    expect(all).not.toContain(plantedKey);
  });
});
