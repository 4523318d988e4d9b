import type { FormState } from '../request/forms.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly hint?: Content;
  readonly autocomplete?: string;
  readonly value?: string;
  readonly isOptional?: boolean;
  readonly lengthMax?: number;
  /** A key that focuses the field. */
  readonly key?: string;
}

/** A text field with its label, its fault and the typed text. */
export function textField(
  form: FormState,
  {
    name,
    label,
    type = 'text',
    hint,
    autocomplete = 'off',
    value = '',
    isOptional = false,
    lengthMax,
    key,
  }: Field,
): Html {
  const typed = type === 'password' ? '' : (form.typed[name] ?? value);
  const limit = lengthMax !== undefined && html` maxlength="${lengthMax}"`;
  return field(
    form,
    { name, label, hint },
    (attributes) => html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    value="${typed}"
    autocomplete="${autocomplete}"
    ${!isOptional && html` required`}${limit}${key !== undefined && html` data-key="${key}"`}${attributes}${focus(form, name)}
  />`,
  );
}

/** A field for a list, with one entry per line. */
export function linesField(
  form: FormState,
  { name, label, hint, value = '' }: Pick<Field, 'name' | 'label' | 'hint' | 'value'>,
): Html {
  const typed = form.typed[name] ?? value;
  const rows = Math.min(8, Math.max(2, typed.split('\n').length));
  // The parser drops one line feed after the tag.
  return field(
    form,
    { name, label, hint },
    (attributes) => html`<textarea
    id="${name}"
    name="${name}"
    rows="${rows}"
    autocomplete="off"
    spellcheck="false"
    ${attributes}${focus(form, name)}
  >
${typed}</textarea>`,
  );
}

/** A choice of one from a list. */
export function selectField(
  form: FormState,
  {
    name,
    label,
    options,
    value = '',
    hint,
  }: {
    name: string;
    label: string;
    options: ReadonlyArray<readonly [value: string, title: string]>;
    value?: string;
    hint?: Content;
  },
): Html {
  const typed = form.typed[name] ?? value;
  return field(
    form,
    { name, label, hint },
    (attributes) => html`<select id="${name}" name="${name}" ${attributes}>
    ${options.map(([each, title]) => html`<option value="${each}" ${each === typed && html` selected`}>${title}</option>`)}
  </select>`,
  );
}

/** A file to be chosen. */
export function fileField(
  form: FormState,
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
): Html {
  const isFaulty = form.faults[name] !== undefined;
  return field(
    form,
    { name, label, hint },
    (attributes) => html`<input
    id="${name}"
    name="${name}"
    type="file"
    required
    ${attributes}${isFaulty && html` autofocus`}
  />`,
  );
}

/** A box to tick. */
export function checkField(
  form: FormState,
  { name, label, isTicked = false }: Pick<Field, 'name' | 'label'> & { isTicked?: boolean },
): Html {
  const isOn = name in form.typed ? form.typed[name] === 'on' : isTicked;
  return html`<div class="check">
    <input
      type="checkbox"
      id="${name}"
      name="${name}"
      ${isOn && html` checked`}
    /><label for="${name}">${label}</label>
  </div>`;
}

/** What a person must know after a form, and what to do. */
export function alertNotice(look: 'warn' | 'bad', happened: string, advice: string): Html {
  return html`<div class="notice ${look}" role="alert">
    <p><strong>${happened}</strong> ${advice}</p>
  </div>`;
}

/** The fault of a form as a whole. */
export function formFault(words: Content): Html {
  return html`<p class="notice bad" role="alert">${words}</p>`;
}

/** The first field with a fault gets the focus. */
function focus({ faults }: FormState, name: string): Content {
  return Object.keys(faults)[0] === name && html` autofocus`;
}

/** A control with its label, and its fault or hint, which its attributes name. */
function field(
  { faults }: FormState,
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
  control: (attributes: Content) => Html,
): Html {
  const fault = faults[name];
  const [attributes, words] =
    fault !== undefined
      ? [
          html` aria-invalid="true" aria-describedby="${name}-fault"`,
          html`<p class="fault" id="${name}-fault">${fault}</p>`,
        ]
      : hint !== undefined
        ? [
            html` aria-describedby="${name}-hint"`,
            html`<p class="hint" id="${name}-hint">${hint}</p>`,
          ]
        : [];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(attributes)}
    ${words}
  </div>`;
}
