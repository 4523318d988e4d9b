import { refusalParts } from '../../refusals.ts';
import type { Refusal, RefusalCode } from '../../refusals.ts';
import { fold } from '../../workspaces/words.ts';
import type { FieldFaults, TypedFields } from './forms.ts';

/** A refusal or a stored refusal. */
type AnyRefusal = Pick<Refusal, 'code' | 'facts'>;

/** Advice for pages, for refusals whose usual advice names options of the command line. */
const advices: Partial<Record<RefusalCode, string>> = {
  stopped: 'The server was stopped, and nothing was imported: send the file again.',
  engine_model_missing: 'Give its model and its address.',
  engine_search_not_required: 'Let it search when it wants to.',
  domain_is_shared_site: 'Name the part of it that is theirs as an owned path.',
  path_is_whole_site: 'Name the whole site as a domain.',
  subject_changed: 'Open it again, and repeat your change.',
  row_too_long: 'If the file is in another format, choose it.',
  json_array_missing: 'If each line is an object of its own, choose NDJSON.',
  file_encoding_wide: 'Save it as UTF-8.',
  file_not_utf8: 'Save it as UTF-8.',
};

/** A refusal in words for a page: what happened, and what to do. */
export function refusalText(refusal: AnyRefusal): string {
  const [happened, forCommands = ''] = refusalParts(refusal);
  const advice = advices[refusal.code] ?? forCommands;
  return advice.startsWith('\n') ? happened + advice : `${happened} ${advice}`.trim();
}

/** The words of a refusal of a subject's words, by the field that it concerns. */
export function subjectFaults({ code, facts }: AnyRefusal, typed: TypedFields): FieldFaults {
  const words = refusalText({ code, facts });
  return { [fieldOf(code, facts, typed)]: words };
}

function fieldOf(code: RefusalCode, facts: AnyRefusal['facts'], typed: TypedFields): string {
  if (code.startsWith('domain_')) return 'domains';
  if (code.startsWith('path_')) return 'paths';
  if (code.startsWith('alias_pattern_')) return 'patterns';
  const named = 'list' in facts ? facts.list : 'field' in facts ? facts.field : undefined;
  switch (named) {
    case 'domain':
      return 'domains';
    case 'path':
      return 'paths';
    case 'alias_pattern':
      return 'patterns';
    case 'alias':
      return 'word' in facts ? listWith(facts.word, typed) : listWith('', typed);
    default:
      return code === 'aliases_contradict' || code === 'subject_words_too_many'
        ? 'aliases'
        : 'name';
  }
}

/** The field in which an alias was typed. */
function listWith(word: string, typed: TypedFields): string {
  const has = (field: string) =>
    (typed[field] ?? '').split(/\r?\n/).some((line) => fold(line) === fold(word));
  return ['name', 'exact', 'patterns'].find(has) ?? 'aliases';
}
