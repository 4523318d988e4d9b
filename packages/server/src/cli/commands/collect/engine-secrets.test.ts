import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/command-line.ts';
import { everythingStored } from '../../../../test/collecting.ts';
import { eachDatabase } from '../../../../test/stores.ts';

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
