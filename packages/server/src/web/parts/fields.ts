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

/**
 * A text field with its label, its fault and the typed text. The first field with a fault gets the
 * focus.
 */
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
  const fault = form.faults[name];
  const typed = type === 'password' ? '' : (form.typed[name] ?? value);
  const isFirst = Object.keys(form.faults)[0] === name;
  const control = html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    value="${typed}"
    autocomplete="${autocomplete}"
    ${!isOptional && html` required`}${lengthMax !== undefined && html` maxlength="${lengthMax}"`}${
      key !== undefined && html` data-key="${key}"`
    }${ariaAttributes(name, fault, hint)}${isFirst && html` autofocus`}
  />`;
  return field(form, { name, label, hint }, control);
}

/** A field for a list, with one entry per line. */
export function linesField(
  form: FormState,
  { name, label, hint, value = '' }: Pick<Field, 'name' | 'label' | 'hint' | 'value'>,
): Html {
  const fault = form.faults[name];
  const typed = form.typed[name] ?? value;
  const isFirst = Object.keys(form.faults)[0] === name;
  // The parser drops one line feed after the tag.
  const control = html`<textarea
    id="${name}"
    name="${name}"
    rows="${Math.min(8, Math.max(2, typed.split('\n').length))}"
    autocomplete="off"
    spellcheck="false"
    ${ariaAttributes(name, fault, hint)}${isFirst && html` autofocus`}
  >
${typed}</textarea>`;
  return field(form, { name, label, hint }, control);
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
  const fault = form.faults[name];
  const typed = form.typed[name] ?? value;
  const control = html`<select id="${name}" name="${name}" ${ariaAttributes(name, fault, hint)}>
    ${options.map(
      ([each, title]) =>
        html`<option value="${each}" ${each === typed && html` selected`}>${title}</option>`,
    )}
  </select>`;
  return field(form, { name, label, hint }, control);
}

/** A file to be chosen. */
export function fileField(
  form: FormState,
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
): Html {
  const fault = form.faults[name];
  const control = html`<input
    id="${name}"
    name="${name}"
    type="file"
    required
    ${ariaAttributes(name, fault, hint)}${fault !== undefined && html` autofocus`}
  />`;
  return field(form, { name, label, hint }, control);
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

/** The fault of a form as a whole. */
export function formFault(words: Content): Html {
  return html`<p class="notice bad" role="alert">${words}</p>`;
}

function ariaAttributes(name: string, fault: string | undefined, hint: Content): Content {
  if (fault !== undefined) {
    return html` aria-invalid="true" aria-describedby="${name}-fault"`;
  }
  return hint !== undefined && html` aria-describedby="${name}-hint"`;
}

/** A control with its label, and its fault or hint. */
function field(
  { faults }: FormState,
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
  control: Html,
): Html {
  const fault = faults[name];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control}
    ${
      fault === undefined
        ? hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
        : html`<p class="fault" id="${name}-fault">${fault}</p>`
    }
  </div>`;
}
