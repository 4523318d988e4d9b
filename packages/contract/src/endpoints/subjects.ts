import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { instant, text, uuid } from '../fields.ts';
import { subjectType } from './detections.ts';

export const subjectRow = z.strictObject({
  id: uuid.meta({
    description:
      'Id of the subject, the `subject_id` of other endpoints. It stays when the subject is renamed.',
    examples: ['0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  }),
  type: subjectType.meta({
    description: "The workspace's own brand, or a competitor.",
    examples: ['brand'],
  }),
  name: text.meta({ description: 'Its name.', examples: ['Acme'] }),
  aliases: z.array(text).meta({
    description: 'Other names by which it is found, as they were written. Empty once archived.',
    examples: [['Acme CRM']],
  }),
  domains: z.array(text).meta({
    description: 'Its domains: a link to one of them cites it. Empty once archived.',
    examples: [['acme.com']],
  }),
  archived_at: instant.nullable().meta({
    description: 'When it was removed from tracking; null while it is tracked.',
    examples: [null],
  }),
});

export const subjects = defineEndpoint({
  name: 'subjects',
  path: '/api/v1/subjects',
  summary: 'The brand and its competitors',
  description:
    'The tracked subjects with their names, archived ones too: the brand first, then competitors by name.',
  array: 'subjects',
  query: z.strictObject({}),
  row: subjectRow,
});
