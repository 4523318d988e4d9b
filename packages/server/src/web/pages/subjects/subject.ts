import { newId } from '../../../values/uuid.ts';
import { nameLengthMax } from '../../../workspaces/parse-alias.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import type { EditPreview } from '../../../jobs/preview-edit.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { editPreview } from './edit-preview.ts';
import { linesField, textField } from '../../parts/fields.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

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
  const hiddenFields = {
    form: form.typed['form'] ?? newId(context.clock),
    version: form.typed['version'] ?? '',
    seen: previewed,
  };
  const content = html`${notice} ${preview !== undefined && editPreview(preview)}
    <form method="post" class="panel" action="${place}/${subject?.id ?? 'new'}">
      ${fields(form)}
      <div class="actions">
        ${Object.entries(hiddenFields).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${buttons({ subject, isSeen: previewed !== '', isArchive })}
      </div>
    </form>`;
  const title = subject === undefined ? 'Track a competitor' : `Change ${subject.name}`;
  const lead = html`<a href="${place}">Brand and competitors</a>`;
  return { page: workspacePage(context, { title, lead, content }), status };
}

function fields(form: FormState): Html {
  return html`${textField(form, { name: 'name', label: 'Name', lengthMax: nameLengthMax })}
  ${linesField(form, { name: 'aliases', label: 'Aliases', hint: 'One a line. Found in any case.' })}
  ${linesField(form, {
    name: 'exact',
    label: 'Aliases found as written',
    hint: 'One a line. Upper and lower case count: for abbreviations and everyday words.',
  })}
  ${linesField(form, {
    name: 'patterns',
    label: 'Alias patterns',
    hint: 'One a line. Regular expressions in RE2 syntax.',
  })}
  ${linesField(form, {
    name: 'domains',
    label: 'Domains',
    hint: 'One a line, such as example.com. An answer with a link to one counts.',
  })}
  ${linesField(form, {
    name: 'paths',
    label: 'Owned paths',
    hint: 'One a line: parts of sites of others, such as github.com/example.',
  })}`;
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
  return html`<button class="button${isSeen ? '' : ' primary'}" name="do" value="look">
      Show what it would do
    </button>
    ${
      isSeen &&
      !isArchive &&
      html`<button class="button primary" name="do" value="save">
        ${saves}, and count the stored answers again
      </button>`
    }
    ${
      isSeen &&
      isArchive &&
      html`<button class="button danger" name="do" value="archive">
        Archive it, and count the stored answers again
      </button>`
    }
    ${
      mayArchive &&
      !(isSeen && isArchive) &&
      html`<button class="button danger" name="do" value="look-archive">
        Show what archiving would do
      </button>`
    }`;
}
