/**
 * `<single-keys>`: a key follows the link, presses the button or focuses the field that names it in
 * `data-key`. Keys inside an element with `data-keys` work while that element has the focus.
 */
class SingleKeys extends HTMLElement {
  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const focused = event.target instanceof Element ? event.target.closest('[data-keys]') : null;
    const wanted = [...document.querySelectorAll<HTMLElement>('[data-key]')];
    const target = wanted.find((each) => {
      const scope = each.closest('[data-keys]');
      return each.dataset['key'] === event.key && (scope === null || scope === focused);
    });
    if (target === undefined) return;
    event.preventDefault();
    if (target instanceof HTMLInputElement) target.focus();
    else target.click();
  };

  connectedCallback(): void {
    document.addEventListener('keydown', this.#press);
  }

  disconnectedCallback(): void {
    document.removeEventListener('keydown', this.#press);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

customElements.define('single-keys', SingleKeys);
