/** How long nothing is typed before it is looked for. */
const findMs = 200;

/**
 * `<single-keys>`: keyboard shortcuts that work outside of fields. A key follows the link, or
 * focuses the field, with that key in `data-key`. `g` and a letter follow the link with the letter
 * in `data-go`. `j` and `k` move through the rows. `?` shows the keys. Ctrl K shows the pages and
 * finds what a workspace has, as does `/` on a page without a search. Keys inside an element with `data-keys` work while that
 * element has the focus.
 */
class SingleKeys extends HTMLElement {
  #isGoing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #press = (event: KeyboardEvent): void => {
    const isPalette = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (document.querySelector('dialog[open]') !== null) return;
    if (!isPalette && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))) {
      return;
    }
    const isDone = isPalette ? this.#open('pages') : this.#act(event.key, scopeOf(event.target));
    if (isDone) event.preventDefault();
  };

  connectedCallback(): void {
    document.addEventListener('keydown', this.#press);
    this.querySelector('input')?.addEventListener('input', this.#list);
    this.querySelector('form:has(input)')?.addEventListener('submit', this.#goFirst);
    const find = document.querySelector<HTMLElement>('[data-open]');
    find?.addEventListener('click', (event) => {
      if (this.#open('pages')) event.preventDefault();
    });
  }

  disconnectedCallback(): void {
    document.removeEventListener('keydown', this.#press);
  }

  #act(key: string, focused: Element | null): boolean {
    if (this.#isGoing) {
      this.#isGoing = false;
      return press(`[data-go="${CSS.escape(key)}"]`);
    }
    if (press(`[data-key="${CSS.escape(key)}"]`, focused)) return true;
    if (key === 'g') return (this.#isGoing = true);
    if (key === 'j' || key === 'k') return moveRow(key === 'j' ? 1 : -1);
    if (key === '/') return this.#open('pages');
    return key === '?' && this.#open('keys');
  }

  #open(name: string): boolean {
    const dialog = this.querySelector<HTMLDialogElement>(`dialog[data-name="${name}"]`);
    dialog?.showModal();
    this.#list();
    return dialog !== null;
  }

  /** Lists the pages whose name contains the typed text. */
  readonly #list = (): void => {
    const typed = this.querySelector('input')?.value.toLowerCase() ?? '';
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.side nav a')];
    const matches = links.filter((link) => link.textContent.toLowerCase().includes(typed));
    const items = matches.map((link) => {
      const item = document.createElement('li');
      const copy = document.createElement('a');
      copy.href = link.href;
      copy.textContent = link.querySelector('span')?.textContent ?? link.textContent;
      item.append(copy);
      return item;
    });
    this.querySelector('ul')?.replaceChildren(...items);
    clearTimeout(this.#timer);
    this.querySelector('[data-found]')?.replaceChildren();
    if (typed.trim().length > 1) this.#timer = setTimeout(() => this.#find(typed), findMs);
  };

  /** Loads what the page of the form finds, as a document, as `live-part` does. */
  #find(typed: string): void {
    const form = this.querySelector<HTMLFormElement>('form[action]');
    if (form === null) return;
    const request = new XMLHttpRequest();
    request.open('GET', `${form.action}?q=${encodeURIComponent(typed)}`);
    request.setRequestHeader('Accept', 'text/html');
    request.responseType = 'document';
    request.addEventListener('load', () => {
      const found = request.responseXML?.getElementById('found');
      // More may have been typed meanwhile.
      if (this.querySelector('input')?.value.toLowerCase() !== typed || !found) return;
      const parts = [...found.children].map((part) => document.importNode(part, true));
      this.querySelector('[data-found]')?.replaceChildren(...parts);
    });
    request.send();
  }

  readonly #goFirst = (event: Event): void => {
    const first = this.querySelector<HTMLAnchorElement>('ul a');
    if (first === null) return;
    event.preventDefault();
    first.click();
  };
}

function press(selector: string, focused: Element | null = null): boolean {
  const target = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => {
    const scope = scopeOf(each);
    return scope === null || scope === focused;
  });
  if (target instanceof HTMLInputElement) target.focus();
  else target?.click();
  return target !== undefined;
}

function scopeOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-keys]') : null;
}

/** Focuses the link of the next or previous row, which Enter opens. */
function moveRow(step: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row], main td.name a')];
  const place = rows.findIndex((row) => row === document.activeElement);
  const next = rows[place === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, place + step))];
  next?.focus();
  return next !== undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

customElements.define('single-keys', SingleKeys);
