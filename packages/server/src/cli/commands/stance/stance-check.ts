import { stance as stanceSchema, uuidPattern } from '@overheard/contract';
import { z } from 'zod';
import { readExcerpts } from '../../../answers/stances/excerpts.ts';
import { writeLabels } from '../../../answers/stances/write-label.ts';
import type { StanceLabel } from '../../../answers/stances/write-label.ts';
import { kappaMin } from '../../../reports/stances/check.ts';
import { readStanceDraw } from '../../../reports/stances/draw.ts';
import type { DrawnItem } from '../../../reports/stances/draw.ts';
import { kappaWords } from '../../../reports/stances/stance-words.ts';
import { Faults } from '../../../rows/fault.ts';
import { readRows } from '../../../rows/read-file.ts';
import type { Row } from '../../../rows/row.ts';
import { openSource } from '../../../rows/source.ts';
import { rowFormat } from '../../../transfer/format-rows.ts';
import { amount } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import type { WorkspaceContext } from '../../define/define-command.ts';
import { flag, text } from '../../define/options.ts';
import { UsageError } from '../../terminal/command-error.ts';

const drawnFields = ['run_id', 'subject_id', 'subject', 'prompt', 'excerpts', 'stance'];

export const stanceCheckCommand = defineWorkspaceCommand({
  name: 'check',
  summary: 'compare the judge with the labels of a person',
  description:
    'Shows how far the judge and a person agree (Cohen’s kappa with its 95 % interval), and what is missing. --draw prints the answers that are left to label as CSV: fill in the column stance, without looking at what the judge said, and read the file with --labels. Empty cells are left out. The page of stances does the same.',
  options: {
    draw: flag('print the answers that are left to label'),
    labels: text('<file>', 'a file with the columns run_id, subject_id and stance; - is stdin'),
  },
  json: '{judge, kappa, kappa_low, kappa_high, labels, needed, is_trusted}, with --draw {drawn:[...]}',
  examples: [
    'overheard stance check --workspace acme',
    'overheard stance check --workspace acme --draw > labels.csv',
    'overheard stance check --workspace acme --labels labels.csv',
  ],
  run: async (context, { draw, labels: path }) => {
    if (draw && path !== undefined) throw new UsageError('Choose one of --draw and --labels.');
    const { store, workspaceId, slug, io } = context;
    const source = { db: store.reader, workspaceId };
    if (draw) return drawItems(context);
    const before = path === undefined ? undefined : await readStanceDraw(source);
    const labels = path === undefined ? [] : await readLabels(path, before?.items ?? [], io);
    await writeLabels(store, workspaceId, labels, { clock: io.clock, userId: null });
    const drawn = await readStanceDraw(source);
    if (drawn === undefined) {
      return {
        json: { judge: null, kappa: null, kappaLow: null, kappaHigh: null, ...noLabels },
        words: `Nothing is judged yet. Next: overheard stance estimate --workspace ${slug}`,
      };
    }
    const { check, judge } = drawn;
    const { kappa, low, high, labels: count, needed, isTrusted } = check;
    return {
      json: { judge, kappa, kappaLow: low, kappaHigh: high, labels: count, needed, isTrusted },
      text: [
        `The judge ${judge} and a person: ${kappaWords(check)}.`,
        count < needed
          ? `${amount(needed - count, 'answer')} to label before figures are shown.`
          : isTrusted
            ? 'Figures are shown.'
            : `Under a kappa of ${kappaMin} only quotes are shown.`,
      ],
      words: [
        path !== undefined && `Stored ${amount(labels.length, 'label')}.`,
        count < needed && `Next: overheard stance check --workspace ${slug} --draw > labels.csv`,
      ],
    };
  },
});

const noLabels = { labels: 0, needed: 0, isTrusted: false };

/** Prints what is left to label. */
async function drawItems({ store, workspaceId, io, isJson }: WorkspaceContext) {
  const drawn = await readStanceDraw({ db: store.reader, workspaceId });
  const { items = [], check = noLabels } = drawn ?? {};
  const left = items
    .filter(({ label }) => label === null)
    .slice(0, Math.max(0, check.needed - check.labels));
  const rows = (await readExcerpts(store.reader, workspaceId, left)).map(
    ({ excerpts, run_id, subject_id, subject, prompt }) => {
      const words = printable(excerpts.join(' | '), { lengthMax: 4000 });
      return { run_id, subject_id, subject, prompt, excerpts: words, stance: null };
    },
  );
  if (!isJson) {
    const options = { fields: drawnFields, array: '', isForSpreadsheets: true };
    const { start, row } = rowFormat('csv', options);
    io.stdout.write(start + rows.map(row).join(''));
  }
  return {
    json: { drawn: rows },
    words: `${amount(rows.length, 'answer')} to label. Stances: ${stanceSchema.options.join(', ')}.`,
  };
}

const id = z.string().toLowerCase().regex(uuidPattern);
const typed = z.string().trim().toLowerCase().pipe(stanceSchema);
const labelSchema = z.object({ run_id: id, subject_id: id, stance: typed });
const expectedOf = {
  run_id: 'the id of the run',
  subject_id: 'the id of the subject',
  stance: `one of ${stanceSchema.options.join(', ')}`,
};

/** Reads the labels of a file. Throws a `Refusal` that names line and field. */
async function readLabels(
  path: string,
  items: readonly DrawnItem[],
  { stdin }: Pick<WorkspaceContext['io'], 'stdin'>,
): Promise<StanceLabel[]> {
  const source = await openSource(path, { stdin });
  const faults = new Faults();
  const labels: StanceLabel[] = [];
  const drawn = new Set(items.map(({ run_id: run, subject_id: subject }) => `${run} ${subject}`));
  for await (const rows of readRows(source, { faults, array: 'labels' })) {
    for (const row of rows) labels.push(...toLabel(row, drawn, faults));
  }
  faults.refuse(source.name);
  return labels;
}

function toLabel({ line, value }: Row, drawn: ReadonlySet<string>, faults: Faults): StanceLabel[] {
  const { stance = null } = value;
  if (stance === null || stance === '') return [];
  const { data, error } = labelSchema.safeParse(value);
  if (data !== undefined) {
    if (!drawn.has(`${data.run_id} ${data.subject_id}`)) {
      const expected =
        'a subject of an answer that --draw prints: who chooses the answers decides the result';
      faults.add({ line, field: 'subject_id', expected, found: data.subject_id });
      return [];
    }
    return [{ runId: data.run_id, subjectId: data.subject_id, stance: data.stance }];
  }
  for (const [field, expected] of Object.entries(expectedOf)) {
    if (error.issues.some(({ path }) => path[0] === field)) {
      faults.add({ line, field, expected, found: value[field] });
    }
  }
  return [];
}
