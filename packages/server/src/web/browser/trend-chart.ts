/**
 * `<trend-chart>`: arrow keys move through the rows of its table, and its output shows each row.
 */
class TrendChart extends HTMLElement {
  #place = 0;

  connectedCallback(): void {
    this.tabIndex = 0;
    this.addEventListener('keydown', this.#press);
  }

  readonly #press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    const rows = [...this.querySelectorAll('tbody tr')];
    if (step === undefined || rows.length === 0 || event.target !== this) return;
    event.preventDefault();
    this.#place = Math.min(rows.length - 1, Math.max(0, this.#place + step));
    const output = this.querySelector('output');
    const cells = rows[this.#place]?.querySelectorAll('td') ?? [];
    // The newest row is the first.
    if (output !== null) output.textContent = [...cells].map((cell) => cell.textContent).join(': ');
  };
}

customElements.define('trend-chart', TrendChart);
