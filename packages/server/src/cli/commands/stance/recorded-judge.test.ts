import { existsSync, readFileSync } from 'node:fs';
import { stance } from '@overheard/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { noon } from '../../../../test/engines/collecting.ts';
import { also, startJudging } from '../../../../test/engines/judging.ts';
import type { Verdict } from '../../../../test/engines/judging.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import labelled from '../../../../test/answers/labelled-stances.json' with { type: 'json' };

/*
 * Real answers aren't part of this repository: they are read from beside it, `product-bench.ndjson`
 * of `shared/answers`. `labelled-stances.json` has what two readers, who knew neither each other's
 * labels nor the judge's, said of the subjects of 59 of these answers, and a judge's reply: the
 * letter, the purpose, and where in the answer its quote begins and how long it is. All three are
 * language models that read as people are asked to, so their agreement is an upper bound.
 */
const file = new URL('../../../../../../../shared/answers/product-bench.ndjson', import.meta.url);
const isThere = existsSync(file);
const absent = isThere ? '' : ` (skipped: ${file.pathname} is absent)`;

const judged = z.tuple([z.string(), z.string().nullable(), z.int(), z.int()]);
const entry = z.tuple([z.string(), stance, stance, judged.nullable()]);
const labelledAnswers = z
  .array(z.object({ line: z.int(), subjects: z.array(entry) }))
  .parse(labelled);
const answerRow = z.object({ engine: z.string(), prompt: z.string(), answer: z.string() });
const readAnswers = () => {
  const lines = readFileSync(file, 'utf8').split('\n');
  return labelledAnswers.map(({ line, subjects }) => {
    const { answer, ...row } = answerRow.parse(JSON.parse(lines[line - 1] ?? ''));
    return { ...row, line, answer, subjects };
  });
};
const cited = z.object({ quote: z.string().nullable() });
const listed = z.object({
  answers: z.array(z.object({ run_id: z.string(), text: z.string(), cited: z.array(cited) })),
});
const drawn = z.object({
  drawn: z.array(z.object({ run_id: z.string(), subject_id: z.string(), subject: z.string() })),
});
const checked = z.object({
  kappa: z.number(),
  kappa_low: z.number(),
  kappa_high: z.number(),
  labels: z.int(),
});

eachDatabase(`a recorded judge of real answers${absent}`, (create) => {
  test.skipIf(!isThere)(
    'its kappa with each of two readers is the one that is counted by hand, and each quote is in its answer',
    { tags: ['long'] },
    async () => {
      const answers = readAnswers();
      const judging = await startJudging(await create(), [], { verdict: recorded(answers) });
      const say = (args: string[], stdin = '') =>
        runCommand([...args, '--workspace', 'acme', '--database', judging.url], {
          clock: () => noon,
          stdin,
        });
      const names = new Set(answers.flatMap(({ subjects }) => subjects.map(([name]) => name)));
      for (const name of names) expect((await say(['subject', 'add', name])).code).toBe(0);
      const rows = answers.map(({ engine, prompt, answer, line }) => {
        const runAt = new Date(noon - line * 60_000).toISOString();
        return JSON.stringify({ prompt, engine, run_at: runAt, answer });
      });
      expect((await say(['answers', 'import', '-'], rows.join('\n'))).code).toBe(0);

      await judging.run(
        'stance set --workspace acme --engine own_api --day 5 --month 10 --sample all',
      );
      expect(await judging.run('stance run --workspace acme')).toMatchObject({ code: 0 });
      const list = await say(['answers', 'list', '--limit', '200', '--json']);
      const runs = listed.parse(JSON.parse(list.stdout)).answers;
      for (const { text, cited: each } of runs) {
        for (const { quote } of each) expect(text).toContain(quote ?? '');
      }
      const draw = await say(['stance', 'check', '--draw', '--json']);
      const items = drawn.parse(JSON.parse(draw.stdout)).drawn.map((item) => {
        const text = runs.find(({ run_id: run }) => run === item.run_id)?.text;
        const answer = answers.find((each) => each.answer === text);
        const labels = answer?.subjects.find(([name]) => name === item.subject);
        return { ...item, labels };
      });
      for (const reader of [1, 2] as const) {
        const known = items.flatMap(({ labels, ...item }) => (labels ? [{ ...item, labels }] : []));
        const rowsOfReader = known.map(({ labels, run_id, subject_id }) =>
          JSON.stringify({ run_id, subject_id, stance: labels[reader] }),
        );
        const check = await say(
          ['stance', 'check', '--labels', '-', '--json'],
          rowsOfReader.join('\n'),
        );
        const pairs = known.map(({ labels }) => [stanceOf(labels), labels[reader]] as const);
        const { labels: count, ...agreement } = checked.parse(JSON.parse(check.stdout));
        expect(count).toBe(pairs.length);
        expect(count).toBeGreaterThan(40);
        expect(agreement).toEqual(kappaByHand(pairs));
      }
    },
  );
});

type Answer = ReturnType<typeof readAnswers>[number];

/** The judge's recorded reply about a subject of one of the answers. */
function recorded(answers: readonly Answer[]): Verdict {
  const replies = answers.flatMap(({ answer, subjects }) =>
    subjects.flatMap(([name, , , reply]) => {
      if (reply === null) return [];
      const [letter, purpose, from, length] = reply;
      return [{ name, letter, purpose, quote: answer.slice(from, from + length) }];
    }),
  );
  return function reply(asked) {
    const excerpts = asked.excerpts.join('\n');
    const found = replies.find(
      ({ name, quote }) => name === asked.name && excerpts.includes(quote),
    );
    return found === undefined ? also(asked) : [found.letter, found.purpose, found.quote];
  };
}

/** What the judge says of a subject; where it was not asked, a rule proves what both readers say. */
function stanceOf([, reader, , reply]: Answer['subjects'][number]): string {
  return reply === null ? reader : (stance.options['ABCDEFG'.indexOf(reply[0])] ?? '');
}

/** Cohen's kappa with its interval (Fleiss, Cohen and Everitt 1969), from the table of both readers' labels. */
function kappaByHand(pairs: ReadonlyArray<readonly [string, string]>) {
  const count = (one?: string, other?: string) =>
    pairs.filter((pair) => pair[0] === (one ?? pair[0]) && pair[1] === (other ?? pair[1])).length /
    pairs.length;
  const total = (term: (one: string, other: string) => number) =>
    stance.options.reduce(
      (sum, one) => sum + stance.options.reduce((part, other) => part + term(one, other), 0),
      0,
    );
  const observed = total((one, other) => (one === other ? count(one, other) : 0));
  const expected = total((one, other) =>
    one === other ? count(one) * count(undefined, other) : 0,
  );
  const squares = total((one, other) => {
    const margins = count(undefined, one) + count(other);
    const factor =
      one === other ? 1 - expected - margins * (1 - observed) : (1 - observed) * margins;
    return count(one, other) * factor ** 2;
  });
  const variance =
    (squares - (observed * expected - 2 * expected + observed) ** 2) /
    (pairs.length * (1 - expected) ** 4);
  const kappa = (observed - expected) / (1 - expected);
  const round = (value: number) => Math.round(value * 1e4) / 1e4;
  const half = 1.959963985 * Math.sqrt(variance);
  return { kappa: round(kappa), kappa_low: round(kappa - half), kappa_high: round(kappa + half) };
}
