import type { SubjectType } from '@overheard/contract';
import type { Alias } from '../../values/alias.ts';

/** A tracked name as detection needs it: its name is one of the aliases. */
export interface DetectableSubject {
  readonly id: string;
  readonly type: SubjectType;
  readonly aliases: readonly Alias[];
  readonly domains: readonly string[];
  /** Paths that the subject owns on third-party sites: `github.com/acme`. */
  readonly paths?: readonly string[];
}

/** A page that an engine gives as a source of its answer. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string | undefined;
}
