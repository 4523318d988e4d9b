/**
 * `<copy-text for="ID">`: a button that copies the text of an element, or its own `text` if it has
 * that. It does not appear without JavaScript.
 */
class CopyText extends HTMLElement {
  connectedCallback(): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button small';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', this.getAttribute('label') ?? 'Copy');
    button.addEventListener('click', () => void this.#copy(button));
    const status = document.createElement('span');
    status.setAttribute('role', 'status');
    status.className = 'copied';
    this.append(status, button);
  }

  async #copy(button: HTMLButtonElement): Promise<void> {
    const source = document.getElementById(this.getAttribute('for') ?? '');
    const status = this.querySelector('[role=status]');
    if (source === null || status === null) return;
    try {
      await navigator.clipboard.writeText(this.getAttribute('text') ?? source.textContent);
      status.textContent = 'Copied';
      setTimeout(() => (status.textContent = ''), 3000);
    } catch {
      // A browser gives no clipboard to pages on plain http: select the text, for the keyboard.
      getSelection()?.selectAllChildren(source);
      status.textContent = 'Selected: press Ctrl+C';
      button.focus();
    }
  }
}

customElements.define('copy-text', CopyText);
