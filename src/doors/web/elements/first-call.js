const EVERY_MS = 2000

/** Asks until the first call has come, then says so. */
class FirstCall extends HTMLElement {
  connectedCallback() {
    this.timer = setInterval(() => this.look(), EVERY_MS)
  }

  disconnectedCallback() {
    clearInterval(this.timer)
  }

  async look() {
    if (document.hidden) return
    const response = await fetch(this.dataset.src).catch(() => undefined)
    if (!response?.ok || response.redirected) return
    const { called } = await response.json()
    if (!called) return
    clearInterval(this.timer)
    const { content } = this.querySelector('template')
    this.querySelector('[data-waiting]').replaceChildren(content.cloneNode(true))
  }
}

customElements.define('first-call', FirstCall)
