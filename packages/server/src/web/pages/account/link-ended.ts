import { PageFault } from '../../request/page-fault.ts';

/**
 * The fault for a one-time link that was used, has ended, or never existed. The page never reveals
 * which.
 */
export function linkEnded(): PageFault {
  return new PageFault(
    404,
    'This link does not work',
    'The link was used already, has ended, or is incomplete. Ask for a new one.',
  );
}
