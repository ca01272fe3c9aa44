const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
const EVERY_MS = 30_000
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })
const shown = new Set()

const wordsFor = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return words.format(Math.trunc(seconds / size), unit)
}

setInterval(() => {
  for (const element of shown) element.show()
}, EVERY_MS)

/** Says how long ago a time is, with the time itself in the title. */
class RelativeTime extends HTMLElement {
  connectedCallback() {
    this.time = this.querySelector('time')
    if (!this.time) return
    this.time.title ||= this.time.textContent
    shown.add(this)
    this.show()
  }

  disconnectedCallback() {
    shown.delete(this)
  }

  show() {
    this.time.textContent = wordsFor(Date.parse(this.time.dateTime))
  }
}

customElements.define('relative-time', RelativeTime)
