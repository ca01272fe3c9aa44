/** Keeps the rows of the table inside as the server says that they are, with a button that holds them still. */
customElements.define(
  'live-tail',
  class extends HTMLElement {
    connectedCallback() {
      this.button = document.createElement('button')
      this.button.type = 'button'
      this.button.className = 'plain'
      this.button.addEventListener('click', () => (this.source ? this.hold() : this.follow()))
      this.state = document.createElement('span')
      this.state.className = 'quiet'
      this.state.setAttribute('role', 'status')
      const bar = document.createElement('p')
      bar.append(this.state, ' ', this.button)
      this.prepend(bar)
      this.follow()
    }

    disconnectedCallback() {
      this.source?.close()
    }

    follow() {
      this.source = new EventSource(this.getAttribute('src'))
      this.say('Pause', 'Live')
      this.source.addEventListener('deliveries', ({ data }) => this.show(JSON.parse(data)))
      this.source.addEventListener('open', () => this.say('Pause', 'Live'))
      this.source.addEventListener('error', () => {
        if (this.source?.readyState === EventSource.CONNECTING) {
          this.say('Pause', 'Disconnected. Reconnecting…')
        } else {
          this.hold('Disconnected. Reload the page.')
        }
      })
    }

    hold(why = 'Paused') {
      this.source?.close()
      this.source = undefined
      this.say('Resume', why)
    }

    say(action, state) {
      this.button.textContent = action
      this.state.textContent = state
    }

    show({ order, rows }) {
      const body = this.querySelector('tbody')
      const present = new Map([...body.rows].map((row) => [row.dataset.id, row]))
      const ordered = order.map((id) => (rows[id] ? rowOf(rows[id]) : present.get(id)))
      const next = ordered.filter((row) => row !== undefined)
      const focusedId = document.activeElement?.closest('tr')?.dataset.id
      const link = [...(document.activeElement?.closest('tr')?.querySelectorAll('a') ?? [])]
      const nth = link.indexOf(document.activeElement)
      const ticked = new Set([...body.querySelectorAll('input:checked')].map(({ value }) => value))
      body.replaceChildren(...next)
      for (const box of body.querySelectorAll('input')) box.checked = ticked.has(box.value)
      if (focusedId && nth >= 0)
        body.querySelector(`tr[data-id="${focusedId}"]`)?.querySelectorAll('a')[nth]?.focus()
      this.querySelector('[data-none]')?.toggleAttribute('hidden', next.length > 0)
    }
  },
)

/** The server escapes what it puts into a row. */
function rowOf(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  return template.content.querySelector('tr')
}
