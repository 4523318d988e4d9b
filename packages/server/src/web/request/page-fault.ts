import type { Refusal, RefusalCode } from '../../refusals.ts';

/** Why a page can't be shown, in words for a person. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;

  /** `message` is the advice. */
  constructor(
    status: number,
    title: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.title = title;
    this.headers = headers;
  }
}

/**
 * The fault for a page that doesn't exist, or that this person may not see. It never reveals which.
 */
export function notFound(): PageFault {
  return new PageFault(
    404,
    'Page not found',
    'The address is wrong, or it belongs to a workspace that you are not a member of.',
  );
}

/** The fault for a form about something that the workspace doesn't have, or no longer has. */
export function notInWorkspace(thing: string): PageFault {
  return new PageFault(404, `This ${thing} is not in this workspace`, 'Open the list again.');
}

/** Shows one refusal of a flow as a fault; any other is a failure of the server. */
export function faultOf(code: RefusalCode, fault: () => PageFault) {
  return (_context: unknown, refusal: Pick<Refusal, 'code'>): PageFault | undefined =>
    refusal.code === code ? fault() : undefined;
}

/** The fault for a form that isn't one of ours, or isn't complete. */
export function unreadableForm(advice: string, status = 400): PageFault {
  return new PageFault(status, 'The form can’t be read', advice);
}
