import { fieldsOf } from './field.ts';
import type { Resource } from './resource.ts';

/** The fields of each resource for the help, those that may be left out in brackets. */
export function fieldsHelp(resources: readonly Resource[]): string {
  const width = Math.max(...resources.map(({ name }) => name.length)) + 2;
  const lines = resources.map(({ name, row }) => {
    const fields = fieldsOf(row).map((field) =>
      field.isRequired ? field.name : `[${field.name}]`,
    );
    return `  ${name.padEnd(width)}${fields.join(' ')}`;
  });
  return ['Fields, as in the API; those in brackets may be left out:', ...lines].join('\n');
}
