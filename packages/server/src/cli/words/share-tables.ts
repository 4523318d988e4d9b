import type { ShareRow } from '@overheard/contract';
import type { PromptName } from '../../reports/known-names.ts';
import type { Grouping } from '../../reports/shares/share-rows.ts';
import { tableOf } from '../define/table-of.ts';
import type { Table } from '../terminal/print.ts';
import { changeWords, rateWords, sovWords } from './figure-words.ts';

/** The citation rates and the shares of voice of subjects, one table each. */
export function shareTables(
  rows: readonly ShareRow[],
  { by, prompts }: { by: Grouping; prompts: ReadonlyMap<string, PromptName> },
): Table[] {
  const group: Readonly<Record<string, (row: ShareRow) => string | null>> = {
    ...(by === 'engine' && { ENGINE: ({ engine }) => engine }),
    ...(by === 'locale' && { LOCALE: ({ locale }) => locale }),
    ...(by === 'prompt' && {
      PROMPT: (row) => prompts.get(row.prompt_id ?? '')?.text ?? row.prompt_id,
    }),
    ...(by === 'day' && { DAY: ({ from }) => from }),
    ...(by === 'week' && { WEEK: ({ from, to }) => `${from} to ${to}` }),
  };
  return [
    {
      title: 'Citation rate',
      ...tableOf(
        rows,
        {
          SUBJECT: ({ name }) => name,
          ...group,
          RATE: rateWords,
          CHANGE: (row) => changeWords(row.rate_change, row.rate_verdict),
        },
        '',
      ),
    },
    {
      title: 'Share of voice',
      ...tableOf(
        rows,
        {
          SUBJECT: ({ name }) => name,
          ...group,
          SHARE: sovWords,
          CHANGE: (row) => changeWords(row.sov_change, row.sov_verdict),
        },
        '',
      ),
    },
  ];
}

/** What the figures of shares are over, and what their marks mean. */
export function shareNotes(rows: readonly ShareRow[]): string[] {
  const compared = rows.map((row) => row.prompts_compared);
  const [least, most] = [Math.min(...compared), Math.max(...compared)];
  const over = least === most ? String(most) : `${least} to ${most}`;
  const hasNoInterval = rows.some(
    ({ rate, rate_low, sov, sov_low }) =>
      (rate !== null && rate_low === null) || (sov !== null && sov_low === null),
  );
  return [
    `In brackets: the 95 % interval. Changes are in percentage points against the equal period before, over the prompts that both periods have (${over}).`,
    ...(hasNoInterval
      ? ['No interval: fewer than 5 prompts, or fewer than 10 citations for a share of voice.']
      : []),
  ];
}
