import { newId } from '../../../values/uuid.ts';
import { nameLengthMax } from '../../../workspaces/words.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import type { EditPreview } from '../../../jobs/preview-edit.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { hiddenFields } from '../../parts/button-form.ts';
import { linesField, textField } from '../../parts/fields.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';
import type { CitationExample } from '../../../answers/redetect/compare-citations.ts';
import type { SubjectPreview } from '../../../answers/redetect/preview-tally.ts';
import type { Advice } from '../../../answers/spellings/advise.ts';
import { amount, plural } from '../../../values/plural.ts';
import { engineName } from '../../../values/engine.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';

/** The page of one subject, with the preview of a change if one was requested. */
export function subjectPage(
  context: WorkspaceContext,
  {
    subject,
    form = emptyForm,
    previewed = '',
    isArchive = false,
    preview,
    notice,
    status = 200,
  }: {
    /** Undefined for a new subject. */
    subject: Subject | undefined;
    form?: FormState;
    /** The hash of the previewed change. */
    previewed?: string;
    isArchive?: boolean;
    preview?: EditPreview;
    notice?: Content;
    status?: number;
  },
): Result {
  const place = `/w/${context.workspace.slug}/settings/subjects`;
  const hidden = {
    form: form.typed['form'] ?? newId(context.clock),
    version: form.typed['version'] ?? '',
    seen: previewed,
  };
  const content = html`${notice} ${preview !== undefined && editPreview(preview)}
    <form method="post" class="panel" action="${place}/${subject?.id ?? 'new'}">
      ${fields(form)}
      <div class="actions">
        ${hiddenFields(hidden)}
        ${buttons({ subject, isSeen: previewed !== '', isArchive })}
      </div>
    </form>`;
  const title = subject === undefined ? 'Track a competitor' : `Change ${subject.name}`;
  const lead = html`<a href="${place}">Brand and competitors</a>`;
  return workspacePage(context, { title, lead, content, status });
}

function fields(form: FormState): Html {
  return html`${textField(form, { name: 'name', label: 'Name', lengthMax: nameLengthMax })}
  ${linesField(form, { name: 'aliases', label: 'Aliases', hint: 'One a line. Found in any case.' })}
  ${linesField(form, { name: 'exact', label: 'Aliases found as written', hint: 'One a line. Upper and lower case count: for abbreviations and everyday words.' })}
  ${linesField(form, { name: 'patterns', label: 'Alias patterns', hint: 'One a line. Regular expressions in RE2 syntax.' })}
  ${linesField(form, { name: 'domains', label: 'Domains', hint: 'One a line, such as example.com. An answer with a link to one counts.' })}
  ${linesField(form, { name: 'paths', label: 'Owned paths', hint: 'One a line: parts of sites of others, such as github.com/example.' })}`;
}

function buttons({
  subject,
  isSeen,
  isArchive,
}: {
  subject: Subject | undefined;
  isSeen: boolean;
  isArchive: boolean;
}): Html {
  const mayArchive = subject !== undefined && subject.subject_type !== 'brand';
  const saves = subject === undefined ? 'Track it' : 'Save it';
  const button = (does: string, look: string, words: string) =>
    html`<button class="button${look}" name="do" value="${does}">${words}</button> `;
  return html`${button('look', isSeen ? '' : ' primary', 'Show what it would do')}
    ${isSeen && !isArchive && button('save', ' primary', `${saves}, and count the stored answers again`)}
    ${isSeen && isArchive && button('archive', ' danger', 'Archive it, and count the stored answers again')}
    ${mayArchive && !(isSeen && isArchive) && button('look-archive', ' danger', 'Show what archiving would do')}`;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/**
 * Shows the effect of a change of a subject on the latest answers, with sentences, and advice on
 * its words.
 */
function editPreview({ preview, advice }: EditPreview): Html {
  return html`<section aria-labelledby="preview">
    <h2 id="preview">What it would do</h2>
    ${advice !== undefined && advicePart(advice)} ${counts(preview)}
    ${preview.subjects.length > 0 && table({ columns, empty: '' }, preview.subjects)}
    ${direction(preview, 'comes', 'would count')} ${direction(preview, 'goes', 'would no longer count')}
  </section>`;
}

function counts({ answers, recited, moved, branded }: SubjectPreview): Html {
  if (answers === 0) {
    return html`<p>
      There are no stored answers yet. Import some, and the preview shows who would appear.
    </p>`;
  }
  return html`<p>
    Counted the latest ${amount(answers, 'answer')}. Who appears would change in
    ${recited === 0 ? 'none' : recited} of
    them.${moved > 0 && html` In ${moved} more the same names would appear at another place.`}${
      branded.comes > 0 &&
      html` ${plural(branded.comes, 'answer')} would no longer be scored, because the prompt would
      name the brand.`
    }${
      branded.goes > 0 &&
      html` ${plural(branded.goes, 'answer')} would be scored, because the prompt would no longer
      name the brand.`
    }
  </p>`;
}

const columns: Columns<SubjectPreview['subjects'][number]> = [
  { title: 'Name', cell: ({ subject }) => subject },
  { title: 'Appears now', cell: (one) => one.cited_before },
  { title: 'Appears then', cell: (one) => one.cited_after },
  { title: 'Comes', cell: ({ comes }) => comes },
  { title: 'Goes', cell: (one) => one.goes },
];

function direction(
  { sentences }: SubjectPreview,
  change: CitationExample['change'],
  words: string,
): Content {
  const total = sentences[change];
  const examples = sentences.examples.filter((each) => each.change === change);
  if (total === 0) return undefined;
  const ofThem = examples.length < total ? `, ${examples.length} shown` : '';
  return html`<h3>Sentences and links that ${words} (${total}${ofThem})</h3>
    <ul class="quotes">
      ${examples.map(
        ({ subject, engine, run_at: at, alias, sentence, url }) =>
          html`<li>
            <p>${sentence === null ? (url ?? '') : markAlias(sentence, alias)}</p>
            <p class="hint">${subject}, ${engineName(engine)}, ${at.slice(0, 10)}</p>
          </li>`,
      )}
    </ul>`;
}

/**
 * A sentence with its alias marked. A pattern is not marked, because the text that it matched is not
 * known.
 */
function markAlias(sentence: string, alias: string | null): Content {
  const at = alias === null ? -1 : sentence.toLowerCase().indexOf(alias.toLowerCase());
  if (alias === null || at === -1) return sentence;
  const end = at + alias.length;
  return html`${sentence.slice(0, at)}<mark>${sentence.slice(at, end)}</mark>${sentence.slice(end)}`;
}

function advicePart({ ambiguous, sharedDomains, publicSuffixes, spellings }: Advice): Html {
  return html`${ambiguous.map(
    (alias) =>
      html`<p class="notice warn">
        “${alias}” is also a common word or abbreviation, and is found in any case. To find it only
        as it is written, move it to the aliases found as written.
      </p>`,
  )}
  ${sharedDomains.map(
    (domain) =>
      html`<p class="notice warn">
        Many have pages on ${domain}, and every link to it would count. If only a part is theirs,
        name that as an owned path.
      </p>`,
  )}
  ${publicSuffixes.map(
    (domain) =>
      html`<p class="notice warn">
        Anybody may register under ${domain}. Only links to ${domain} itself would count, not those
        to the sites below it: name the whole domain.
      </p>`,
  )}
  ${spellings.map(
    ({ language, spellings: words }) =>
      html`<p>
        ${
          language === null
            ? 'These spellings would not be found:'
            : `These spellings with case endings of ${languageNames.of(language) ?? language}, a language of the prompts, would not be found:`
        }
        ${words.join(', ')}. Add those that people write as aliases.
      </p>`,
  )}`;
}
