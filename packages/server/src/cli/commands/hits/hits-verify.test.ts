import { expect, test } from 'vitest';
import { z } from 'zod';
import { commandPlace, listOf } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme', '--no-dns'];
const verified = z.object({
  changed: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
});

const lists = [
  ['openai/gptbot', '20.171.207.0/24'],
  ['anthropic/bots', '216.73.216.0/24'],
  ['mistral/mistralai-index-ips', '51.15.1.0/24'],
] as const;

/** Seven requests within minutes of noon. */
function seven(address: string, agent: string, day = 20): string {
  return Array.from(
    { length: 7 },
    (_, minute) =>
      `${address} - - [${day}/Nov/2026:12:0${minute}:00 +0000] "GET /${minute} HTTP/1.1" 200 5 "-" "${agent}/1.0"\n`,
  ).join('');
}

eachDatabase('hits that are judged again', (create) => {
  test('a list that proves a site lets its accusations stand, its removal withdraws them, and both are said', async () => {
    const place = await commandPlace(await create());
    const { run, write, verdicts } = place;
    const importLists = async (count: number) => {
      for (const [id, network] of lists.slice(0, count)) {
        const path = await write('list.json', listOf('2026-11-18T00:00:00Z', network));
        await run('ranges', 'import', path, '--list', id, '--fetched-at', '2026-11-21');
      }
    };
    await importLists(2);
    const genuine = [19, 21].map(
      (day) => seven('51.15.1.9', 'MistralAI-Index', day) + seven('216.73.216.9', 'ClaudeBot', day),
    );
    const forged = seven('45.9.3.9', 'MistralAI-Index');
    const crowd = seven('45.9.1.9', 'GPTBot') + seven('45.9.2.9', 'ClaudeBot');
    const log = await write('a.log', genuine.join('') + forged + crowd);
    await run('hits', 'ingest', log, '--host', 'www.acme.com', ...own);
    expect(new Set(await verdicts())).toEqual(
      new Set(['verified in_list', 'unverified site_unproven', 'unverified no_list']),
    );
    expect(await changesOf(place)).toEqual([]);
    await importLists(3);
    expect(await changesOf(place)).toEqual([
      'MistralAI-Index unverified verified in_list 14',
      'ClaudeBot unverified spoofed not_in_list 7',
      'GPTBot unverified spoofed not_in_list 7',
      'MistralAI-Index unverified spoofed not_in_list 7',
    ]);
    expect(await changesOf(place)).toEqual([]);
    await run('ranges', 'remove', 'mistral/mistralai-index-ips', '--all');
    expect(await changesOf(place)).toEqual([
      'MistralAI-Index verified unverified no_list 14',
      'ClaudeBot spoofed unverified site_unproven 7',
      'GPTBot spoofed unverified site_unproven 7',
      'MistralAI-Index spoofed unverified no_list 7',
    ]);
    expect(await changesOf(place)).toEqual([]);
  });

  test('a hit that its site overrules is explained by its own evidence too, with the list and its times', async () => {
    const { run, write, hits } = await commandPlace(await create());
    const list = await write('list.json', listOf('2026-11-18T00:00:00Z', '20.171.207.0/24'));
    await run('ranges', 'import', list, '--list', 'openai/gptbot', '--fetched-at', '2026-11-21');
    const agents = ['GPTBot', 'ClaudeBot', 'MistralAI-Index'];
    const log = agents.map((agent, index) => seven(`45.9.${index}.9`, agent)).join('');
    await run('hits', 'ingest', await write('a.log', log), ...own);
    const hit = (await hits()).find(({ bot_name: name }) => name === 'GPTBot');
    const { stdout } = await run('hits', 'explain', hit?.id ?? '', '--workspace', 'acme');
    expect(stdout).toMatch(
      /^unverified: .*\(site_unproven\)\nby itself: .*\(not_in_list\)\n {2}list openai\/gptbot\n {2}list_first_at 2026-11-18T/m,
    );
  });
});

async function changesOf({ run }: CommandPlace): Promise<string[]> {
  const { stdout } = await run('hits', 'verify', ...own, '--json');
  return verified
    .parse(JSON.parse(stdout))
    .changed.map((change) => Object.values(change).join(' '));
}
