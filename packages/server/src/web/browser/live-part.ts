const everyMs = 2000;

/**
 * `<live-part id="ID" waiting>`: loads the page that it links to and takes this part over from there, as long as
 * the part says that it is waiting. Without script the person reloads.
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

  /** As a document: the policy of the pages forbids making markup from text. */
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
