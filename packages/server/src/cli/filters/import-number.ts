import { parseImportNumber } from '../../imports/list-imports.ts';
import { parsed } from '../define/options.ts';

/** An import, as `imports list` shows it. */
export const importNumber = parsed('<id>', 'only runs that this import created', {
  parse: parseImportNumber,
  expected: 'It must be the number of an import: see `overheard imports list`.',
});
