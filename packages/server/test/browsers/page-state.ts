import type { Page } from 'playwright-core';
import type { Person } from './people.ts';

/** A state of a page, and how a browser gets there. */
export interface PageState {
  readonly name: string;
  /** Who looks; a stranger unless said. */
  readonly person?: Person;
  readonly path: string;
  /** Done on the page before it is looked at. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The status of the page in the end; 200 unless said. */
  readonly status?: number;
}
