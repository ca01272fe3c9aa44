const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Makes ⌘K or Ctrl K focus its search field, and shows the shortcut. */
class SearchBox extends HTMLElement {
  connectedCallback() {
    this.field = this.querySelector('input')
    this.hint = document.createElement('kbd')
    this.hint.textContent = isApple ? '⌘K' : 'Ctrl K'
    this.hint.setAttribute('aria-hidden', 'true')
    this.field.setAttribute('aria-keyshortcuts', isApple ? 'Meta+K' : 'Control+K')
    this.field.after(this.hint)
    this.onKey = (event) => this.key(event)
    document.addEventListener('keydown', this.onKey)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.onKey)
    this.hint.remove()
  }

  key(event) {
    const isShortcut = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
    if (!isShortcut || event.key.toLowerCase() !== 'k') return
    event.preventDefault()
    this.field.focus()
    this.field.select()
  }
}

customElements.define('search-box', SearchBox)
