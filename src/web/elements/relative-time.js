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
const visible = new Set()

const wordsFor = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return words.format(Math.trunc(seconds / size), unit)
}

setInterval(() => {
  for (const element of visible) element.show()
}, EVERY_MS)

/** Shows next to a time how long ago it was, or how far ahead it is. */
class RelativeTime extends HTMLElement {
  connectedCallback() {
    this.time = this.querySelector('time')
    if (!this.time) return
    this.note = this.querySelector('.ago') ?? this.place()
    visible.add(this)
    this.show()
  }

  disconnectedCallback() {
    visible.delete(this)
  }

  /** Places the note inside an existing aside, or after the time. */
  place() {
    const aside = this.querySelector('.aside')
    const note = document.createElement(aside ? 'span' : 'small')
    note.className = aside ? 'ago' : 'ago aside'
    if (aside) aside.append(', ', note)
    else this.time.after(' ', note)
    return note
  }

  show() {
    this.note.textContent = wordsFor(Date.parse(this.time.dateTime))
  }
}

customElements.define('relative-time', RelativeTime)
