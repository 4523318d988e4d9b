import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { makePlace, openOnSqlite } from '../../../test/log-place.ts';
import { ingestFiles } from './ingest.ts';
import { createTally } from './summary.ts';

const open = openOnSqlite();

test.each([0, 9999])(
  'counts all hits of a batch by their last verdicts, after %i others',
  async (count) => {
    const others = Array.from({ length: count }, (_, index) => [addressOf(index), 'GPTBot']);
    const claims = ['Bytespider', 'GrokBot', ...Array.from({ length: 10_500 }, () => 'KimiBot')];
    const summary = await ingest([others, claims.map((agent) => [forger, agent])]);
    expect(summary.judgedAgain).toBe(0);
    expect(summary.bots.filter(({ bot }) => bot !== 'GPTBot')).toMatchObject([
      { bot: 'KimiBot', spoofed: 10_500, unverified: 0 },
      { bot: 'Bytespider', spoofed: 1, unverified: 0 },
      { bot: 'GrokBot', spoofed: 1, unverified: 0 },
    ]);
  },
);

test('counts a hit of the batch before by its last verdict, and one that changed long after apart', async () => {
  const first = [
    [forger, 'Bytespider'],
    [forger, 'GrokBot'],
    ...Array.from({ length: 8500 }, (_, index) => [addressOf(index), 'DeepSeekBot']),
  ];
  const last = [[forger, 'KimiBot']];
  const { bots, judgedAgain } = await ingest([first, last]);
  expect(judgedAgain).toBe(0);
  expect(bots.filter(({ spoofed }) => spoofed > 0)).toHaveLength(3);
  const others = Array.from({ length: 8500 }, (_, index) => [addressOf(index), 'ClaudeBot']);
  expect((await ingest([first, others, last])).judgedAgain).toBe(2);
});

test('never counts less than none where another process changed a verdict between', () => {
  const tally = createTally();
  const hit = { id: 'a', bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler' } as const;
  tally.hit({ ...hit, verification: 'unverified' }, true);
  const row = { ...hit, verification: 'spoofed' } as const;
  tally.change({
    remembered: [{ row, verification: 'unverified' }],
    others: 0,
    isEmpty: false,
    add: () => {},
  });
  expect(tally.summary().bots).toMatchObject([{ verified: 0, spoofed: 0, unverified: 1 }]);
});

const forger = '45.9.148.3';

/** Reads files of lines of an address and an agent, each file a batch, after those of many people. */
async function ingest(files: ReadonlyArray<ReadonlyArray<readonly string[]>>) {
  const place = await makePlace(await open());
  const people = Array.from({ length: 30_000 }, (_, index) => [addressOf(index), 'Chrome']);
  const paths = [people, ...files].map((lines, file) =>
    place.write(
      `${file}.log`,
      lines.map(([address, agent], at) => short(address, agent, at)).join(''),
    ),
  );
  const context = await place.prepare({ format: 'fields=time,address,method,target,user_agent' });
  return (await ingestFiles(await Promise.all(paths), context, { stdin: Readable.from([]) }))
    .summary;
}

/** A line of about the shortest that there are: so many of them are read at once. */
function short(address = '', agent = '', path = 0): string {
  return `1795176000 ${address} GET /${path} ${agent}\n`;
}

function addressOf(index: number): string {
  return `8.8.${index >> 8}.${index & 255}`;
}
