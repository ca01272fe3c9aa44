const EVERY_MS = 2000

/** Polls until the first call has arrived, then shows what it was. */
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
    const { called, newest } = await response.json()
    if (!called) return
    clearInterval(this.timer)
    const state = this.querySelector('template').content.cloneNode(true)
    state.querySelector('[data-newest]').textContent = newest
    this.querySelector('[data-waiting]').replaceChildren(state)
  }
}

customElements.define('first-call', FirstCall)
