// @module-tag slow
import { expect, test } from 'vitest';
import { cases } from '../../../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { answersOf, quietAnswers } from '../../../../test/answers/planted-answers.ts';
import { plans } from '../../../../test/answers/planted-stories.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';

const clock = (): number => now;
const count = cases(50);

eachStore('overheard report tells a story', (open) => {
  test(
    'nine of ten planted workspaces read what was planted, and none reads a cause',
    { tags: ['long'] },
    async () => {
      const storyOf = await teller(open);
      expect(plans).toHaveLength(50);
      const step = Math.ceil(plans.length / count);
      const wrong: object[] = [];
      for (const [index, plan] of plans.entries()) {
        if (index % step > 0) continue;
        const { headline, text } = await storyOf(answersOf(plan, 7919 * (index + 1)));
        const isRight = headline === plan.headline && text.includes(plan.next ?? '');
        if (!isRight) wrong.push({ planned: `${plan.headline} ${plan.next ?? ''}`, told: text });
        expect(text).not.toMatch(/because|due to|caused|thanks to|led to|after /i);
      }
      expect(wrong.length, JSON.stringify(wrong, null, 2)).toBeLessThanOrEqual(
        Math.ceil(count / 10),
      );
    },
  );

  test(
    'of 25 quiet workspaces whose answers correlate by 0.83, 24 read of no change',
    { tags: ['long'] },
    async () => {
      const storyOf = await teller(open);
      const told: string[] = [];
      for (let seed = 1; seed <= count; seed += 1) {
        const { kind, text } = await storyOf(quietAnswers(7919 * seed));
        if (kind === 'change') told.push(text);
      }
      expect(told.length, told.join('\n')).toBeLessThanOrEqual(Math.ceil(count / 25));
    },
  );
});

/** Imports answers into a workspace of their own, and returns the story of its report. */
async function teller(open: Open) {
  const { store, url } = await open({ clock });
  return async (answers: readonly object[]) => {
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, answers, { acceptsNearDuplicates: true });
    const { slug } = await store.reader
      .selectFrom('workspaces')
      .select('slug')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const args = ['report', '--workspace', slug, '--database', url, '--json'];
    const { stdout } = await runCommand(args, { clock });
    const { kind, headline, lines, changes } = JSON.parse(stdout).story;
    // A message is about the whole days before it.
    const later = { clock: () => now + 24 * 3_600_000 };
    const shown = await runCommand(['message', 'show', ...args.slice(1)], later);
    const { text, data } = JSON.parse(shown.stdout);
    expect(data.story).toEqual([headline, ...lines]);
    const named = (changes ?? []).flatMap(
      ({ prompt: of }: { prompt: { text: string } | null }) => of?.text ?? [],
    );
    expect(data.prompts.map(({ prompt }: { prompt: string }) => prompt)).toEqual(named.slice(0, 5));
    expect(kind === 'change' || !text.includes('“')).toBe(true);
    expect(text.split('\n').slice(0, 1 + lines.length)).toEqual([headline, ...lines]);
    return { kind, headline, text: [headline, ...lines].join(' ') };
  };
}
