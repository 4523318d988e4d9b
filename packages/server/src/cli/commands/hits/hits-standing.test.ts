import { expect, test } from 'vitest';
import { listOf, placeOf } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import {
  dayLine,
  direct,
  line,
  operators,
  surrounding,
  withLists,
} from '../../../../test/logs/operator-logs.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme', '--no-dns'];

/** Bots of operators that publish nothing. */
const unlisted = ['Bytespider', 'GrokBot', 'DeepSeekBot', 'KimiBot', 'PanguBot', 'Timpibot'];

/** Forty genuine requests of six operators, whose addresses the log has not got. */
function genuine(
  addressOf: (index: number) => string,
  { every = 1, hasHeader = false } = {},
): string {
  return Array.from({ length: 40 }, (_, index) => {
    const [bot, , network] = operators[index % operators.length] ?? operators[0];
    const header = hasHeader ? ` "${network}.${index + 1}"` : '';
    return line(addressOf(index), index * every, bot, header);
  }).join('');
}

/** How many hits have each verdict. */
function counts(verdicts: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(verdicts, (verdict) => verdict)].map(([verdict, { length }]) => [
      verdict,
      length,
    ]),
  );
}

async function ingestTexts(place: CommandPlace, ...texts: readonly string[]): Promise<string> {
  let words = '';
  for (const [index, text] of texts.entries()) {
    const path = await place.write(`${index}.log`, text);
    words = (await place.run('hits', 'ingest', path, ...own, '--from-start')).stderr;
  }
  return words;
}

/** The verdicts of the 20th: the others are proof. */
async function onDay({ hits }: CommandPlace, isProof = true): Promise<Record<string, number>> {
  const rows = (await hits()).filter(({ hit_at: at }) => !isProof || at.startsWith('2026-11-20'));
  return counts(
    rows.map(({ verification, evidence, overruled_by: by }) =>
      [verification, by ?? /"reason":"(\w+)"/.exec(evidence ?? '')?.[1]].join(' '),
    ),
  );
}

eachDatabase('behind a proxy that passes no client on', (create) => {
  const placeWithLists = async () => placeOf(await create({ seed: withLists }));
  const balancers = (many: number) => (index: number) => `45.9.${index % many}.9`;

  test('nobody behind a proxy of a content network is accused, and the ingest names the fix', async () => {
    const place = await placeWithLists();
    const edges = await place.write('edges.txt', '172.64.0.0/13\n');
    const list = ['--list', 'proxy/cloudflare-v4', '--fetched-at', '2026-11-21'];
    await place.run('ranges', 'import', edges, ...list);
    const stderr = await ingestTexts(
      place,
      genuine((index) => `172.64.${index}.9`),
    );
    expect(counts(await place.verdicts())).toEqual({ 'unverified proxy_address': 40 });
    expect(stderr).toContain('40 hits have an address of cloudflare');
    expect(stderr).toContain('--trust-forwarded cloudflare');
  });

  test.each([
    ['four addresses through the day', 30, balancers(4)],
    ['one address within an hour', 1, balancers(1)],
  ])('nobody behind an unknown proxy is accused: %s', async (_title, every, addressOf) => {
    const place = await placeWithLists();
    await ingestTexts(place, genuine(addressOf, { every }));
    expect(counts(await place.verdicts())).toEqual({ 'unverified site_unproven': 40 });
  });

  test('a direct request of one operator from one network proves no site', async () => {
    const place = await placeWithLists();
    const one = direct(19).split('\n')[0] ?? '';
    await ingestTexts(place, `${one}\n${direct(21)}`, genuine(balancers(1)));
    expect(await onDay(place)).toEqual({ 'unverified site_unproven': 40 });
  });

  test('three networks of one operator prove a site', async () => {
    const place = await placeWithLists();
    const list = listOf('2026-11-18T00:00:00Z', '57.152.0.0/16');
    const path = await place.write('wide.json', list);
    await place.run('ranges', 'remove', 'duckduckgo/duckassistbot', '--all');
    const list21 = ['--list', 'duckduckgo/duckassistbot', '--fetched-at', '2026-11-21'];
    await place.run('ranges', 'import', path, ...list21);
    const agent = 'DuckAssistBot/1.0';
    const lines = [19, 21].flatMap((day) =>
      [1, 2, 3].map((network) => dayLine(`57.152.${network}.9`, day, { agent })),
    );
    const forged = dayLine('45.9.148.3', 20, { agent: 'GPTBot/1.0' });
    await ingestTexts(place, lines.slice(0, 5).join('') + forged);
    expect(await onDay(place)).toEqual({ 'unverified proof_pending': 1 });
    await ingestTexts(place, lines.slice(5).join(''));
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 1 });
  });

  test('a proxy that is switched on ends accusations from that day on', async () => {
    const place = await placeWithLists();
    await ingestTexts(place, direct(18) + direct(19), genuine(balancers(3)));
    expect(await onDay(place)).toEqual({ 'unverified proof_pending': 40 });
  });

  test('the proxied half of a proven site is not accused, because visitors come from neighbouring addresses', async () => {
    const place = await placeWithLists();
    await place.run('subject', 'set', 'Acme', '--domain', 'acme.com', '--workspace', 'acme');
    const claims = Array.from({ length: 40 }, (_, index) => {
      const agent = `${operators[index % operators.length]?.[0]}/1.0`;
      return dayLine(`147.161.${index}.9`, 20, { agent, host: 'shop.acme.com', minute: index });
    });
    const visitors = Array.from({ length: 80 }, (_, index) =>
      dayLine(`147.161.${index % 40}.${10 + index}`, 20, { host: 'shop.acme.com', minute: index }),
    );
    await ingestTexts(place, surrounding('www.acme.com') + claims.join('') + visitors.join(''));
    expect(await onDay(place)).toEqual({ 'unverified visitor_address': 40 });
  });

  test('a visitor excuses claims from the same network within 7 days, in any order of lines, logs and ingests', async () => {
    const claim = dayLine('45.9.148.3', 20, { agent: 'GPTBot/1.0', minute: 700 });
    const [visitor, proof] = [dayLine('45.9.148.77', 20), surrounding()];
    for (const logs of [
      [claim + proof, dayLine('45.9.148.77', 13)],
      [dayLine('45.9.148.77', 27), claim + proof],
      [proof, claim, visitor],
      [claim, proof, visitor, claim],
    ]) {
      const place = await placeWithLists();
      await ingestTexts(place, ...logs);
      expect(await onDay(place)).toEqual({ 'unverified visitor_address': 1 });
    }
    const others = dayLine('45.9.149.3', 20) + dayLine('45.9.148.3', 12);
    const place = await placeWithLists();
    await ingestTexts(place, claim + proof + others);
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 1 });
  });

  test('a bot, a program and a claim are no ordinary visitors', async () => {
    const place = await placeWithLists();
    const programs = ['curl/8.0', 'Mozilla/5.0 (compatible; AhrefsBot/7.0)', 'GPTBot/1.0'];
    const lines = programs.map((agent) => dayLine('45.9.148.3', 20, { agent }));
    await ingestTexts(place, surrounding() + lines.join(''));
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 1 });
  });

  test('nobody behind a proxy is accused if a header names genuine clients, whom the named fix reads', async () => {
    const place = await placeWithLists();
    const log = await place.write(
      'a.log',
      genuine(() => '45.9.148.3', { hasHeader: true }),
    );
    const { stderr } = await place.run('hits', 'ingest', log, ...own);
    expect(counts(await place.verdicts())).toEqual({ 'unverified proxy_address': 40 });
    expect(stderr).toContain('--from-start --trust-forwarded 45.9.148.3');
    await place.run('hits', 'remove', '--address', '45.9.148.3', '--yes', '--workspace', 'acme');
    const trust = ['--from-start', '--trust-forwarded', '45.9.148.3'];
    await place.run('hits', 'ingest', log, ...own, ...trust);
    expect(counts(await place.verdicts())).toEqual({ 'verified in_list': 40 });
  });
});

eachDatabase('a forger', (create) => {
  const site = 'www.acme.com';
  const placeOfAcme = async () => {
    const place = await placeOf(await create({ seed: withLists }));
    await place.run('subject', 'set', 'Acme', '--domain', 'acme.com', '--workspace', 'acme');
    return place;
  };

  test('a client that claims six operators within minutes is refuted on a proven site, and in doubt where no list decides', async () => {
    const place = await placeOfAcme();
    const agents = [...operators.map(([bot]) => bot), ...unlisted];
    const log = agents.map((agent, index) => line('45.9.148.3', index, agent)).join('');
    await ingestTexts(place, surrounding() + log);
    expect(await onDay(place)).toEqual({
      'spoofed not_in_list': 6,
      'unverified no_published_means': 6,
    });
  });

  test('a client that adds a header with nobody’s address is spoofed, and so is one that reaches the origin', async () => {
    const place = await placeOfAcme();
    await ingestTexts(place, surrounding() + line('45.9.148.3', 1, 'GPTBot', ' "8.8.8.8"'));
    const log = await place.write('b.log', line('45.9.148.4', 2, 'GPTBot', ' "20.171.207.5"'));
    await place.run('hits', 'ingest', log, ...own, '--trust-forwarded', '10.0.0.0/8');
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 2 });
  });

  test('each own site has its own standing, and hosts that clients make up share that of the whole log', async () => {
    const place = await placeOfAcme();
    await place.run('sites', 'add', 'shop.example', '--workspace', 'acme');
    const forged = (host: string) => dayLine('45.9.148.3', 20, { agent: 'GPTBot/1.0', host });
    await ingestTexts(place, surrounding(site));
    await ingestTexts(
      place,
      ['acme.com', 'blog.acme.com', 'made.up.example', '', 'shop.example'].map(forged).join(''),
    );
    const rows = (await place.hits()).filter(({ hit_at: at }) => at.startsWith('2026-11-20'));
    expect(new Map(rows.map((row) => [row.host, row.overruled_by]))).toEqual(
      new Map([
        ['acme.com', null],
        ['blog.acme.com', null],
        ['made.up.example', null],
        [null, null],
        ['shop.example', 'site_unproven'],
      ]),
    );
    await place.run('sites', 'remove', 'shop.example', '--workspace', 'acme');
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 5 });
  });

  test(
    'a domain that becomes the brand’s has a standing of its own at once',
    { tags: ['once'] },
    async () => {
      const place = await placeOfAcme();
      const forged = dayLine('45.9.148.3', 20, { agent: 'GPTBot/1.0', host: 'shop.example' });
      await ingestTexts(place, surrounding(site) + forged);
      expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 1 });
      const change = ['subject', 'set', 'Acme', '--workspace', 'acme'];
      await place.run(...change, '--add-domain', 'shop.example');
      expect(await onDay(place)).toEqual({ 'unverified site_unproven': 1 });
      await place.run(...change, '--remove-domain', 'shop.example');
      expect(await onDay(place)).toEqual({ 'spoofed not_in_list': 1 });
    },
  );

  test('100 forgeries from one machine outvote nobody, although they make up hosts', async () => {
    const count = 100;
    const place = await placeOfAcme();
    const flood = Array.from({ length: count }, (_, index) =>
      dayLine('45.9.148.3', 20, {
        agent: `${operators[index % operators.length]?.[0]}/1.0`,
        host: index % 2 === 0 ? site : `host-${index}.example`,
        minute: index,
      }),
    );
    const words = await ingestTexts(place, surrounding(site), flood.join(''));
    expect(await onDay(place)).toEqual({ 'spoofed not_in_list': count });
    expect(words.split('\n')[0]).toContain(
      `${count.toLocaleString('en-US')} refuted from 1 network that no visitor shares: forgeries`,
    );
  });
});
