import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { tagPrompts } from '../../../workspaces/tags.ts';

const clock = () => now;
const prompts = Array.from({ length: 12 }, (_, index) => `Which tool is best for job ${index}?`);

/** Answers to each prompt, of which some name the brand. */
function answersOf(engine: string, isNamed: (index: number) => boolean) {
  return prompts.flatMap((prompt, place) =>
    Array.from({ length: 6 }, (_, hour) => ({
      prompt,
      engine,
      run_at: `2026-11-19T0${hour}:00:00Z`,
      answer: isNamed(place + hour) ? 'Acme.' : 'Globex.',
    })),
  );
}

eachStore('the page of apps and APIs', (open) => {
  test('says whether an app differs from its API, with both rates, and the overview links to it', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const web = await startWeb(store, { clock });
    const slug = `w${workspaceId.slice(0, 8)}`;
    const viewer = new Visitor(web, await newPerson(store, { workspaceId, role: 'viewer', clock }));
    const page = async (path: string) =>
      (await viewer.get(`/w/${slug}${path}`)).body.replaceAll(/\s+/g, ' ');
    expect(await page('/apps-and-apis')).toContain('No prompt was put to both an app and its API');

    await importRows(store, workspaceId, [
      ...answersOf('chatgpt', (index) => index % 7 === 0),
      ...answersOf('chatgpt_api', (index) => index % 7 !== 0),
      ...answersOf('claude', (index) => index % 4 < 2),
      ...answersOf('claude_api', (index) => index % 4 > 1),
      ...answersOf('perplexity_api', () => true),
      ...answersOf('copilot', () => true),
    ]);
    const rows = await store.reader.selectFrom('prompts').select('id').execute();
    const ids = rows.map(({ id }) => id);
    await tagPrompts(store, workspaceId, { ids, tag: 'Jobs', isTopic: true });
    const [, place = ''] = /<a href="([^"]+)">Do they differ/.exec(await page('/')) ?? [];
    const [path = '', query = ''] = place.split('?');
    expect(path).toBe(`/w/${slug}/apps-and-apis`);
    const shown = await page(`/apps-and-apis?${query}`);
    expect(shown).toMatch(
      /<h1[^>]*>ChatGPT shows Acme less often in the app than through its API: in 14.% of answers against 86.%/,
    );
    expect(shown.match(/data-verdict="(\w+)"/g)).toEqual([
      'data-verdict="down"',
      'data-verdict="within_chance"',
      'data-verdict="down"',
    ]);
    expect(shown).not.toContain('Copilot</td>');
    expect(shown).toMatch(/ChatGPT by topic.*Jobs/);
    const ofClaude = await page('/apps-and-apis?engine=claude');
    expect(ofClaude).toContain('No app differs from its API beyond chance');
    expect(ofClaude).toMatch(/Claude by topic.*Jobs/);
  });
});
