/** A button that prints the page. Without scripts the browser’s menu does. */
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
