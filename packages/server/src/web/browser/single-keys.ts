/** `<single-keys>`: a key follows the link or focuses the field that names it in `data-key`. */
class SingleKeys extends HTMLElement {
  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const wanted = [...document.querySelectorAll<HTMLElement>('[data-key]')];
    const target = wanted.find((each) => each.dataset['key'] === event.key);
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
