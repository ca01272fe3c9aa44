const NOTICE = 'main > .notice[role="status"]'

/**
 * Reloads this part of the page for as long as the server says: `data-seconds` is the time to the
 * next request, empty once the item is final. `data-version` changes with the content.
 */
customElements.define(
  'live-view',
  class extends HTMLElement {
    connectedCallback() {
      this.state = document.createElement('p')
      this.state.className = 'quiet'
      this.state.setAttribute('role', 'status')
      this.before(this.state)
      this.schedule()
    }

    disconnectedCallback() {
      clearTimeout(this.timer)
    }

    schedule() {
      const seconds = Number(this.dataset.seconds)
      const { live = 'Live' } = this.dataset
      this.state.className = 'quiet'
      this.state.textContent = seconds > 0 ? live : (this.wasLive && 'Up to date') || ''
      if (!(seconds > 0)) return
      this.wasLive = true
      this.timer = setTimeout(() => this.look(), seconds * 1000)
    }

    async look() {
      // Nobody is looking at the page, or listening; or a button is being pressed.
      const isUnseen = document.hidden && !this.isHeard
      if (isUnseen || this.matches(':active')) return this.schedule()
      try {
        const response = await fetch(location.href)
        if (!response.ok || response.redirected) throw new Error('not the page')
        const page = new DOMParser().parseFromString(await response.text(), 'text/html')
        const next = page.querySelector('live-view')
        // Removes a notice such as “queued” once it is no longer true.
        if (!page.querySelector(NOTICE)) document.querySelector(NOTICE)?.remove()
        if (next && next.dataset.version !== this.dataset.version) this.show(next)
        this.dataset.version = next?.dataset.version ?? ''
        this.dataset.seconds = next?.dataset.seconds ?? ''
        this.schedule()
        this.dispatchEvent(new Event('seen'))
      } catch {
        this.lose()
        const { lost, seconds } = this.dataset
        if (lost) this.timer = setTimeout(() => this.look(), Number(seconds) * 1000)
      }
    }

    lose() {
      this.state.className = 'notice bad'
      this.state.textContent = this.dataset.lost ?? 'Disconnected. Reload the page.'
    }

    /** Shows the new content and keeps what is open, ticked and focused. */
    show(next) {
      const open = new Map(
        [...this.querySelectorAll('details[id]')].map((one) => [one.id, one.open]),
      )
      const focused = this.contains(document.activeElement) && document.activeElement
      const nth = focused ? [...this.querySelectorAll(focused.localName)].indexOf(focused) : -1
      const ticked = new Set([...this.querySelectorAll('input:checked')].map(({ value }) => value))
      this.replaceChildren(...next.childNodes)
      for (const box of this.querySelectorAll('input')) box.checked = ticked.has(box.value)
      for (const [id, isOpen] of open) {
        const details = this.querySelector(`details[id="${id}"]`)
        if (details) details.open = isOpen
      }
      // The nth button may be another item's: pressing Enter there would act on that one.
      const same = focused.id ? this.querySelector(`[id="${focused.id}"]`) : undefined
      if (focused) (focused.id ? same : this.querySelectorAll(focused.localName)[nth])?.focus()
    }
  },
)
