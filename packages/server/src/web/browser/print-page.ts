/** `<print-page>`: a button that prints the page. It does not appear without JavaScript. */
class PrintPage extends HTMLElement {
  connectedCallback(): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button small';
    button.textContent = 'Print';
    button.addEventListener('click', () => print());
    this.append(button);
  }
}

customElements.define('print-page', PrintPage);
