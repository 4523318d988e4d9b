import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEngineKey } from '../../src/collect/keys/engine-key.ts';
import { readSecrets, requireSecret } from '../../src/collect/keys/installation-secret.ts';
import { setAllowance } from '../../src/collect/ledger/budgets.ts';
import { createAcme, inStore, refusedIn } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

const actionId = '0190a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b';

/** An engine with its key in a variable. */
const anEngine = {
  baseUrl: 'https://a.example',
  keyVariable: 'A_KEY',
  keyTail: null,
  isOwn: false,
};

/** The address of an engine that nobody asks. */
const own = 'http://127.0.0.1:9/v1';

export const answerCases = {
  action_moved: {
    facts: () => ({ seen: 'in_progress', before: 'open' }),
    provoke: async (place) => {
      await importAction(place, { id: actionId, recommendation: 'Write a page.', priority: 'low' });
      const move = ['--status', 'done', '--from', 'in_progress', '--workspace', 'acme'];
      return place.run('actions', 'set', actionId, ...move);
    },
  },
  engine_key_missing: {
    facts: () => ({ engine: 'chatgpt_api', variable: 'OPENAI_API_KEY' }),
    provoke: ({ run }) => run('engine', 'test', 'chatgpt_api', '--prompt', 'Which CRM?'),
  },
  engine_key_malformed: {
    facts: () => ({ variable: 'A_KEY' }),
    provoke: () =>
      refusedIn(
        readEngineKey(undefined, { A_KEY: 'two lines\nof it' }, { ...anEngine, name: 'a_api' }),
      ),
  },
  engine_key_sealed: {
    facts: () => ({ engine: 'a_api' }),
    provoke: (place) =>
      inStore(place, async (store) => {
        const engine = { ...anEngine, name: 'a_api', keyTail: '' };
        await readEngineKey(store, {}, engine);
      }),
  },
  secret_short: {
    facts: () => ({ lengthMin: 32 }),
    provoke: () =>
      refusedIn(
        Promise.try(() => readSecrets({ secretFile: undefined }, { OVERHEARD_SECRET: 'short' })),
      ),
  },
  secret_missing: {
    facts: () => ({}),
    provoke: () => refusedIn(Promise.try(() => requireSecret({ secretFile: undefined }, {}))),
  },
  engine_bound_missing: {
    facts: () => ({ engine: 'ollama_api', model: 'm' }),
    provoke: async (place) => {
      await createAcme(place);
      await place.run('engine', 'add', 'ollama_api', '--base-url', own, '--model', 'm');
      await place.run('budget', 'set', '--workspace', 'acme', '--day', '1', '--month', '10');
      return place.run('collect', 'run', '--workspace', 'acme');
    },
  },
  engine_cap_reached: {
    facts: () => ({ engine: 'ollama_api' }),
    provoke: async (place) => {
      await addOwnEngine(place, '--bound', '0.1', '--cap-day', '0.05');
      return place.run('engine', 'test', 'ollama_api', '--prompt', 'Which?');
    },
  },
  operator_cap_reached: {
    facts: () => ({}),
    provoke: async (place) => {
      await addOwnEngine(place, '--bound', '0.1');
      await place.run('budget', 'cap', '--month', '0.05');
      return place.run('engine', 'test', 'ollama_api', '--prompt', 'Which?');
    },
  },
  budget_missing: {
    facts: () => ({}),
    provoke: async (place) => {
      await createAcme(place);
      await place.run('engine', 'add', 'chatgpt_api');
      return place.run('collect', 'run', '--workspace', 'acme');
    },
  },
  budget_above_cap: {
    facts: () => ({ dayCapUsd: 5, monthCapUsd: 50 }),
    provoke: async (place) => {
      await createAcme(place);
      await place.run('engine', 'add', 'chatgpt_api');
      await place.run('budget', 'set', '--workspace', 'acme', '--day', '5', '--month', '50');
      return inStore(place, async (store) => {
        const { id } = await store.reader
          .selectFrom('workspaces')
          .select('id')
          .executeTakeFirstOrThrow();
        const budget = { dayUsd: 5.01, monthUsd: 50, sweeps: 3 };
        await setAllowance(store, id, budget, { isOperator: false });
      });
    },
  },
  engine_variable_malformed: {
    facts: () => ({}),
    provoke: (place) => addEngine(place, 'chatgpt_api', '--key-variable', 'sk-123'),
  },
  engine_address_malformed: {
    facts: () => ({ mayBePlain: false }),
    provoke: (place) => addEngine(place, 'chatgpt_api', '--base-url', 'ftp://127.0.0.1'),
  },
  engine_bound_zero: {
    facts: () => ({ engine: 'chatgpt_api' }),
    provoke: (place) => addEngine(place, 'chatgpt_api', '--bound', '0'),
  },
} as const satisfies Partial<RefusalCases>;

async function addEngine(place: Place, ...options: readonly string[]) {
  await createAcme(place);
  return place.run('engine', 'add', ...options);
}

async function addOwnEngine(place: Place, ...options: readonly string[]) {
  await addEngine(place, 'ollama_api', '--base-url', own, '--model', 'm', ...options);
}

async function importAction(place: Place, action: object): Promise<void> {
  const file = join(place.folder, 'actions.ndjson');
  await writeFile(file, JSON.stringify(action));
  await createAcme(place);
  await place.run('import', 'actions', file, '--workspace', 'acme');
}
