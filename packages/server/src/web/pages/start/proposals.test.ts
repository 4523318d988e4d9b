// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { plantedKey, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Reply } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { listJobs } from '../../../jobs/jobs.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';
import { listSubjects } from '../../../workspaces/subject.ts';

const clock = Date.now;
const asking = { environment: { OWN_KEY: plantedKey }, atOnce: 2, prices: [] };
const path = '/w/acme/start/prompts';
const hostile = '<script>alert(1)</script>';

function says(content: string): Reply {
  const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return { json: { id: 'gen-1', model: 'small-1', choices, usage: { cost: 0.002 } } };
}

async function aPlace(url: string, reply: Reply) {
  const here = await startCollecting(url, { prompts: 1 }, reply);
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const { id: workspaceId } = await findWorkspace(store.reader, 'acme');
  const web = await startWeb(store, { runner: aRunner({ store, url }, { asking }), clock });
  const visitor = async (isOperator: boolean) =>
    new Visitor(web, await newPerson(store, { workspaceId, role: 'editor', isOperator, clock }));
  const operator = await visitor(true);
  return { here, store, workspaceId, visitor, operator, ask };

  /** Presses the button twice, and returns the page when the engine has answered. */
  async function ask(): Promise<string> {
    const { body } = await operator.get(path);
    const form = /start\/proposals">\s*<input type="hidden" name="form" value="([^"]*)"/.exec(body);
    const fields = { form: form?.[1] ?? '', engine: 'own_api' };
    for (let press = 0; press < 2; press++) {
      expect((await operator.post('/w/acme/start/proposals', fields)).headers.location).toBe(path);
    }
    const [job] = await listJobs(store.access, { workspaceId, kind: 'propose', limit: 2 });
    if (job === undefined) throw new Error('Nothing was asked');
    await reached(store, job);
    return (await operator.get(path)).body;
  }
}

eachDatabase({ title: 'proposals of an engine', onBoth: true }, (create) => {
  test(
    'an operator sees the price, asks once, and ticks names and questions as they were proposed',
    { tags: ['once'] },
    async () => {
      const proposals = {
        spellings: ['ACME CRM'],
        competitors: [
          { name: 'Initech', domain: 'https://initech.com/about' },
          { name: hostile, domain: 'not a domain' },
        ],
        questions: [
          { topic: hostile, text: 'Which CRM is cheap?' },
          { topic: 'Price', text: 'Is Acme cheap?' },
        ],
      };
      const place = await aPlace(await create(), says(`Here: ${JSON.stringify(proposals)}`));
      const { here, store, workspaceId, operator, visitor, ask } = place;
      expect((await operator.get(path)).body).toMatch(/own_api, up to \$0\.\d+/);
      const body = await ask();
      expect(here.sent).toHaveLength(1);
      expect(body).toContain('It cost $0.0020.');
      expect(body).not.toContain(hostile);
      expect(body).toContain('&lt;script&gt;');
      expect(body).toMatch(/value="Which CRM is cheap\?"\s+checked/);
      expect(body).toContain('value="Is Acme cheap?"');
      expect(body).not.toMatch(/value="Is Acme cheap\?"\s+checked/);
      const spent = await here.run('engine list --json');
      expect(JSON.stringify(JSON.parse(spent.stdout))).toContain('0.002');
      const ticked = [
        { name: 'Initech', domain: 'https://initech.com/about' },
        { spelling: 'ACME CRM' },
      ];
      const fields = new URLSearchParams(
        [...ticked, { name: 'Acme', domain: '' }, { name: '', domain: 'x' }].map((each) => [
          'name[]',
          String(new URLSearchParams(each)),
        ]),
      );
      const editor = await visitor(false);
      const names = '/w/acme/start/proposals/names';
      expect((await editor.postText(names, String(fields))).statusCode).toBe(303);
      const subjects = await listSubjects(store.reader, workspaceId);
      expect(subjects.find(({ name }) => name === 'Initech')?.domains).toEqual(['initech.com']);
      const brand = subjects.find((subject) => subject.subject_type === 'brand');
      expect(brand?.aliases.map(({ alias }) => alias)).toContain('ACME CRM');
      expect((await operator.get(path)).body).not.toContain('Initech, initech.com');
      const refused = await editor.post('/w/acme/start/proposals', {
        form: 'x',
        engine: 'own_api',
      });
      expect(refused.statusCode).toBe(403);
    },
  );
});
