/** A question of somebody who looks after a brand: its truth from the database, its answer from the tools. */
export interface Question {
  readonly asked: string;
  /** The truth, by SQL; `:start` is the first day of the last 28, `:before` of the 28 before, `:today` the last. */
  readonly truth: string;
  /** What the tools say in the same form as the rows of the truth. */
  answer(ask: Ask): Promise<readonly unknown[]>;
}

export type Row = Readonly<Record<string, unknown>>;
export type Ask = (
  tool: string,
  args?: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>;

/** The days that questions are about, and a prompt that is lost. */
export interface Period {
  readonly start: string;
  readonly before: string;
  readonly today: string;
}

const counted = `runs join prompts on prompts.id = prompt_id where outcome = 'answered' and branded = 0`;
const now = `run_at >= :start`;
const citing = (name: string): string =>
  `exists (select 1 from detections d join subjects s on s.id = d.subject_id where d.run_id = runs.id and d.cited = 1 and s.name = '${name}')`;
const rate = (name: string): string => `round(1.0 * sum(${citing(name)}) / count(*), 4)`;
const citations = (name = '%'): string =>
  `(select count(*) from detections d join subjects s on s.id = d.subject_id join runs on runs.id = d.run_id where outcome = 'answered' and branded = 0 and ${now} and d.cited = 1 and s.name like '${name}')`;
const hits = (condition: string): string => `from hits where ${condition}`;

const sum = (rows: readonly Row[], field: string): number =>
  rows.reduce((total, row) => total + Number(row[field]), 0);
const dateOf = (row: Row): string => String(row['date']);

/** The usual questions, each with at most three calls. `period` has the days, `prompt` an id of a lost prompt. */
export function questions({ start, before, today }: Period, prompt: string): readonly Question[] {
  return [
    {
      asked: 'Are we gaining?',
      truth: `select ${rate('Acme')} from ${counted} and ${now}`,
      answer: async (ask) =>
        (await ask('get_shares', { subject: 'Acme' })).map((row) => Number(row['rate'])),
    },
    {
      asked: 'What is our share of voice these four weeks?',
      truth: `select round(1.0 * ${citations('Acme')} / ${citations()}, 4)`,
      answer: async (ask) =>
        (await ask('get_shares', { subject: 'Acme' })).map((row) => Number(row['sov'])),
    },
    {
      asked: 'Are we gaining on Globex?',
      truth: `select ${rate('Acme')}, ${rate('Globex')} from ${counted} and ${now}`,
      answer: async (ask) =>
        (await ask('get_shares')).slice(0, 2).map((row) => Number(row['rate'])),
    },
    {
      asked: 'Who is named instead of us?',
      truth: `select name from subjects s where subject_type = 'competitor' order by (select count(*) from detections d join runs on runs.id = d.run_id where d.subject_id = s.id and d.cited = 1 and outcome = 'answered' and branded = 0 and ${now}) desc`,
      answer: async (ask) =>
        (await ask('get_shares'))
          .slice(1)
          .toSorted((left, right) => Number(right['cited']) - Number(left['cited']))
          .map((row) => row['name']),
    },
    {
      asked: 'Which engine did we lose?',
      truth: `select engine from (select engine, 1.0 * sum(case when ${now} then ${citing('Acme')} end) / sum(${now}) as after, 1.0 * sum(case when run_at < :start then ${citing('Acme')} end) / sum(run_at < :start) as earlier from ${counted} and run_at >= :before group by engine) order by after - earlier limit 1`,
      answer: async (ask) =>
        (await ask('get_shares', { by: 'engine', subject: 'Acme' }))
          .filter((row) => row['rate_verdict'] === 'down')
          .map((row) => row['engine']),
    },
    {
      asked: 'How was this week against the last one?',
      truth: `select round(1.0 * sum(case when run_at >= date(:today, '-6 days') then ${citing('Acme')} end) / sum(run_at >= date(:today, '-6 days')), 4), round(1.0 * sum(case when run_at < date(:today, '-6 days') then ${citing('Acme')} end) / sum(run_at < date(:today, '-6 days')), 4) from ${counted} and run_at >= date(:today, '-13 days')`,
      answer: async (ask) =>
        (await ask('get_shares', { by: 'week', subject: 'Acme' }))
          .slice(0, 2)
          .map((row) => Number(row['rate'])),
    },
    {
      asked: 'How was the quarter?',
      truth: `select sum(${citing('Acme')}), count(*) from ${counted} and run_at >= date(:today, '-90 days')`,
      answer: async (ask) => {
        const from = new Date(Date.parse(today) - 90 * 86_400_000).toISOString().slice(0, 10);
        const [row] = await ask('get_shares', { subject: 'Acme', from });
        return [row?.['cited'], row?.['runs']];
      },
    },
    {
      asked: 'Which prompts do we lose most?',
      truth: `select prompt_id from ${counted} and ${now} group by prompt_id order by 1.0 * sum(${citing('Acme')}) / count(*), prompt_id limit 1`,
      answer: async (ask) => {
        const first = { by: 'prompt', subject: 'Acme', limit: 100 };
        const rows = await ask('get_shares', first);
        const worst = Math.min(...rows.map((row) => Number(row['rate'])));
        return [rows.find((row) => Number(row['rate']) === worst)?.['prompt_id']];
      },
    },
    {
      asked: 'Why do we lose this prompt: what do the answers say?',
      truth: `select sentence from detections d join subjects s on s.id = d.subject_id where d.cited = 1 and sentence is not null and run_id = (select id from runs where prompt_id = '${prompt}' and outcome = 'answered' and ${now} and not ${citing('Acme')} order by run_at desc, id limit 1) order by rank`,
      answer: async (ask) => {
        const [row] = await ask('get_answers', { prompt_id: prompt, cited: false });
        return listOf(row?.['cited']).flatMap((one) => one['sentence'] ?? []);
      },
    },
    {
      asked: 'What should we do first?',
      truth: `select id from actions where status = 'open' order by impact_score desc, created_at desc, id limit 1`,
      answer: async (ask) =>
        (await ask('get_actions', { status: 'open', limit: 1 })).map((row) => row['id']),
    },
    {
      asked: 'Did the fixes work?',
      truth: `select sov_baseline, sov_result from actions where status = 'done' and sov_result is not null order by id`,
      answer: async (ask) =>
        (await ask('get_actions', { status: 'done', limit: 100 }))
          .filter((row) => row['sov_result'] !== null)
          .toSorted((left, right) => (String(left['id']) < String(right['id']) ? -1 : 1))
          .flatMap((row) => [row['sov_baseline'], row['sov_result']]),
    },
    {
      asked: 'Did GPTBot read /pricing, and was it OpenAI?',
      truth: `select sum(verification = 'verified'), sum(verification = 'spoofed') ${hits(`bot_name = 'GPTBot' and path = '/pricing'`)}`,
      answer: async (ask) => {
        const rows = await ask('get_crawls', {
          by: 'page',
          bot_name: 'GPTBot',
          path_prefix: '/pricing',
        });
        return [sum(rows, 'verified'), sum(rows, 'spoofed')];
      },
    },
    {
      asked: 'How many fakes came in these four weeks?',
      truth: `select count(*) ${hits(`verification = 'spoofed' and hit_at >= :start`)}`,
      answer: async (ask) => [sum(await ask('get_crawls', { from: start }), 'spoofed')],
    },
    {
      asked: 'Does ClaudeBot come more often?',
      truth: `select sum(hit_at >= :start), sum(hit_at < :start) ${hits(`bot_name = 'ClaudeBot' and hit_at >= :before`)}`,
      answer: async (ask) => {
        const rows = await ask('get_crawls', { by: 'day', bot_name: 'ClaudeBot', limit: 200 });
        const all = rows.filter((row) => dateOf(row) >= before);
        const totals = (some: readonly Row[]) =>
          sum(some, 'verified') + sum(some, 'spoofed') + sum(some, 'unverified');
        return [
          totals(all.filter((row) => dateOf(row) >= start)),
          totals(all.filter((row) => dateOf(row) < start)),
        ];
      },
    },
    {
      asked: 'Has Applebot read /customers?',
      truth: `select count(*) > 0 ${hits(`bot_name = 'Applebot' and path = '/customers'`)}`,
      answer: async (ask) => {
        const rows = await ask('get_crawls', {
          by: 'page',
          bot_name: 'Applebot',
          path_prefix: '/customers',
        });
        return [Number(rows.length > 0)];
      },
    },
    {
      asked: 'Which pages fail for bots?',
      truth: `select distinct path ${hits('status >= 400')} order by path`,
      answer: async (ask) =>
        (await ask('get_crawls', { by: 'page', limit: 200 }))
          .filter((row) => Number(row['refused']) + Number(row['failed']) > 0)
          .map((row) => String(row['path']))
          .toSorted((left, right) => (left < right ? -1 : 1)),
    },
    {
      asked: 'How do we fare for German prompts?',
      truth: `select ${rate('Acme')} from ${counted} and ${now} and locale = 'de-DE'`,
      answer: async (ask) =>
        (await ask('get_shares', { subject: 'Acme', locale: 'de-DE' })).map((row) =>
          Number(row['rate']),
        ),
    },
    {
      asked: 'How does the UK compare with the US?',
      truth: `select round(1.0 * sum(case when locale = 'en-GB' then ${citing('Acme')} end) / sum(locale = 'en-GB'), 4), round(1.0 * sum(case when locale = 'en-US' then ${citing('Acme')} end) / sum(locale = 'en-US'), 4) from ${counted} and ${now}`,
      answer: async (ask) => {
        const rows = await ask('get_shares', { by: 'locale', subject: 'Acme' });
        return ['en-GB', 'en-US'].map((locale) =>
          Number(rows.find((row) => row['locale'] === locale)?.['rate']),
        );
      },
    },
    {
      asked: 'Which sites should we be mentioned on?',
      truth: `select site from (select j.value as site, sum(not ${citing('Acme')} and exists (select 1 from detections d where d.run_id = runs.id and d.cited = 1)) as gap from ${counted.replace('where', 'join answers a on a.run_id = runs.id, json_each(a.sites) j where')} and ${now} and j.value not in (select domain from subject_domains) group by 1) order by gap desc, site limit 1`,
      answer: async (ask) =>
        (await ask('get_sources', { by: 'site', limit: 100 }))
          .filter((row) => row['owner'] === 'other')
          .toSorted((left, right) => Number(right['gap_runs']) - Number(left['gap_runs']))
          .slice(0, 1)
          .map((row) => row['site']),
    },
    {
      asked: 'Is what is said about us positive?',
      truth: `select count(sentiment) from detections d join runs on runs.id = d.run_id where subject_type = 'brand' and run_at >= :start`,
      answer: async (ask) => {
        const rows = await ask('get_detections', { subject: 'Acme', limit: 200 });
        return [rows.filter((row) => row['sentiment'] !== null).length];
      },
    },
    {
      asked: 'What is our mean rank against that of Globex?',
      truth: `select (select round(avg(rank), 2) from detections d join runs on runs.id = d.run_id join subjects s on s.id = d.subject_id where s.name = n.name and cited = 1 and outcome = 'answered' and branded = 0 and ${now}) from (select 'Acme' as name union all select 'Globex') n order by name`,
      answer: async (ask) =>
        (await ask('get_shares'))
          .slice(0, 2)
          .map((row) => Math.round(Number(row['rank_mean']) * 100) / 100),
    },
    {
      asked: 'Which drops of an engine are more than noise?',
      truth: `select engine from (select engine, 1.0 * sum(case when ${now} then ${citing('Acme')} end) / sum(${now}) as after, 1.0 * sum(case when run_at < :start then ${citing('Acme')} end) / sum(run_at < :start) as earlier from ${counted} and run_at >= :before group by engine) where earlier - after > 0.2 order by engine`,
      answer: async (ask) =>
        (await ask('get_shares', { by: 'engine', subject: 'Acme' }))
          .filter((row) => row['rate_verdict'] === 'down')
          .map((row) => row['engine']),
    },
    {
      asked: 'Was /pricing cited after a bot last read it?',
      truth: `select max(run_at), (select max(hit_at) ${hits(`verification = 'verified' and path = '/pricing'`)}) from ${counted.replace('where', 'join answers a on a.run_id = runs.id, json_each(a.sources) j where')} and ${now} and j.value ->> 'url' like '%acme.example/pricing%'`,
      answer: async (ask) => {
        const rows = await ask('get_sources', { by: 'page', search: 'acme.example' });
        const page = rows.find((row) => String(row['url']).endsWith('.acme.example/pricing'));
        return [page?.['last_cited_at'], page?.['last_crawled_at']];
      },
    },
  ];
}

function listOf(value: unknown): readonly Row[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((one): one is Row => typeof one === 'object' && one !== null);
}
