/**
 * `<drag-board>`: a card that is dragged to the section of another status is moved by the button of
 * its own form, so dragging does what the button does. Without JavaScript, and on touch screens,
 * the buttons do the same.
 */
class DragBoard extends HTMLElement {
  #card: HTMLElement | undefined;

  connectedCallback(): void {
    for (const card of this.querySelectorAll<HTMLElement>('li:has(button[name=status])')) {
      card.draggable = true;
      // A link would be dragged as an address, without its card.
      for (const link of card.querySelectorAll('a')) link.draggable = false;
    }
    this.addEventListener('dragstart', ({ target }) => {
      this.#card = target instanceof HTMLElement && target.draggable ? target : undefined;
    });
    this.addEventListener('dragover', this.#over);
    this.addEventListener('drop', this.#over);
    this.addEventListener('dragend', () => {
      // Forget the card, because the next drop may be a file or come from another window.
      this.#card = undefined;
      this.#mark(undefined);
    });
  }

  readonly #over = (event: DragEvent): void => {
    const section = event.target instanceof Element ? event.target.closest('section') : null;
    const status = section?.getAttribute('data-status');
    const button = this.#card?.querySelector<HTMLElement>(`button[value="${status}"]`);
    this.#mark(button ? section : undefined);
    if (!button) return;
    event.preventDefault();
    if (event.type === 'drop') button.click();
  };

  /** Shows where the card would go. */
  #mark(section: Element | null | undefined): void {
    for (const each of this.querySelectorAll('section')) {
      each.toggleAttribute('data-over', each === section);
    }
  }
}

customElements.define('drag-board', DragBoard);
