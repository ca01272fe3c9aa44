const SAID_MS = 2000

/** Adds a button that copies the code it contains. */
class CopyButton extends HTMLElement {
  connectedCallback() {
    if (this.querySelector('button')) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', () => this.copy(button))
    this.append(button)
  }

  async copy(button) {
    const code = this.querySelector('code')
    const isCopied = await navigator.clipboard?.writeText(code.textContent).then(
      () => true,
      () => false,
    )
    if (!isCopied) getSelection().selectAllChildren(code)
    button.textContent = isCopied ? 'Copied' : 'Selected'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, SAID_MS)
  }
}

customElements.define('copy-button', CopyButton)
