const everyMs = 2000;

/**
 * `<live-part id="ID" waiting>`: reloads this part from the page that it links to, as long as the
 * part has `waiting`. Without JavaScript the person reloads.
 */
class LivePart extends HTMLElement {
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    if (this.hasAttribute('waiting')) this.#wait();
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#load(), everyMs);
  }

  /** Load it as a document, because the pages' content policy forbids making markup from text. */
  #load(): void {
    const request = new XMLHttpRequest();
    request.open('GET', this.querySelector('a')?.href ?? location.href);
    request.setRequestHeader('Accept', 'text/html');
    request.responseType = 'document';
    request.addEventListener('loadend', () => {
      const fresh = request.status === 200 ? request.responseXML?.getElementById(this.id) : null;
      if (fresh === null || fresh === undefined) this.#wait();
      else this.replaceWith(document.importNode(fresh, true));
    });
    request.send();
  }
}

customElements.define('live-part', LivePart);
