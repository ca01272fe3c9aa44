/** A button that prints the page. Without scripts, use the browser’s menu. */
class PrintPage extends HTMLElement {
  connectedCallback() {
    if (this.querySelector('button')) return
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Print'
    button.addEventListener('click', () => print())
    this.append(button)
  }
}

customElements.define('print-page', PrintPage)
