const SECOND_MS = 1000
const SEND_TIMEOUT_MS = 10_000
/** A press that could not be sent for so long is given up. */
const QUEUED_MS = 12 * 3_600_000
const SOUND_KEY = 'staff-sound'

const twoDigits = (number) => String(number).padStart(2, '0')

const inUnit = (count, unit) =>
  count.toLocaleString(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'short' })

/** `5:09`, or `3 hr 5 min`. */
function clockOf(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours === 0) return `${minutes}:${twoDigits(seconds % 60)}`
  return `${inUnit(hours, 'hour')} ${inUnit(minutes, 'minute')}`
}

/**
 * What a script adds to the pages of a venue's staff: deadlines counted down by the server's clock,
 * a sound for new requests, and presses without a connection that are sent once there is one.
 */
customElements.define(
  'staff-page',
  class extends HTMLElement {
    connectedCallback() {
      const { now, venue } = this.dataset
      this.ahead = Date.parse(now) - Date.now()
      this.queueKey = `staff-queue ${venue}`
      this.live = this.querySelector('live-view')
      this.state = document.createElement('div')
      this.state.setAttribute('role', 'status')
      this.prepend(this.state)
      this.seen = this.requests()
      this.addEventListener('submit', (event) => this.submit(event))
      window.addEventListener('offline', () =>
        this.live ? this.live.lose() : this.say(this.dataset.lost, true),
      )
      window.addEventListener('online', () => {
        this.say('')
        this.send()
      })
      this.live?.addEventListener('seen', () => this.look())
      if (this.live) this.offerSound()
      this.timer = setInterval(() => this.count(), SECOND_MS)
      this.count()
      this.showDay()
      this.send()
    }

    disconnectedCallback() {
      clearInterval(this.timer)
    }

    say(text, isBad = false) {
      const line = document.createElement('p')
      line.className = isBad ? 'notice bad' : 'notice'
      line.textContent = text
      this.state.replaceChildren(...(text ? [line] : []))
    }

    count() {
      for (const left of this.querySelectorAll('[data-until]')) {
        const ms = Date.parse(left.dataset.until) - Date.now() - this.ahead
        left.textContent = clockOf(Math.max(Math.floor(ms / SECOND_MS), 0))
        left.parentElement.hidden = false
      }
    }

    /** Scrolls to the chosen day. */
    showDay() {
      const day = this.querySelector('.days [aria-current]')
      if (day) day.parentElement.scrollLeft = day.offsetLeft - day.parentElement.offsetLeft
    }

    /** After the page was refreshed. */
    look() {
      this.count()
      const now = this.requests()
      if (now.some((id) => !this.seen.includes(id))) this.ring()
      this.seen = now
      this.send()
    }

    requests() {
      return [...this.querySelectorAll('[data-request]')].map(({ dataset }) => dataset.request)
    }

    offerSound() {
      const label = document.createElement('label')
      const box = document.createElement('input')
      box.type = 'checkbox'
      box.checked = localStorage.getItem(SOUND_KEY) === 'on'
      label.className = 'check'
      label.append(box, ` ${this.dataset.sound}`)
      this.append(label)
      const set = () => {
        this.live.isHeard = box.checked
        localStorage.setItem(SOUND_KEY, box.checked ? 'on' : 'off')
      }
      set()
      // Browsers play nothing before somebody has touched the page.
      const allow = () => {
        this.audio ??= new AudioContext()
        this.audio.resume()
      }
      document.addEventListener('pointerdown', allow, { once: true })
      box.addEventListener('change', () => {
        allow()
        set()
        if (box.checked) this.ring()
      })
    }

    ring() {
      if (!this.live.isHeard || !this.audio) return
      const { currentTime, destination } = this.audio
      for (const [index, pitch] of [660, 880, 660].entries()) {
        const tone = this.audio.createOscillator()
        const volume = this.audio.createGain()
        const from = currentTime + index * 0.25
        volume.gain.setValueAtTime(0.3, from)
        volume.gain.exponentialRampToValueAtTime(0.001, from + 0.24)
        tone.frequency.value = pitch
        tone.connect(volume).connect(destination)
        tone.start(from)
        tone.stop(from + 0.25)
      }
    }

    /** Sends a form; without a connection, keeps it. */
    async submit(event) {
      const form = event.target
      if (form.method !== 'post') return
      event.preventDefault()
      const button = event.submitter
      const fields = new FormData(form, button)
      // By the server's clock: what is sent late counts from then, and undoes no later press.
      fields.set('pressed', new Date(Date.now() + this.ahead).toISOString())
      const body = new URLSearchParams(fields).toString()
      // The link is a secret: only the path after it is kept.
      const { pathname, search } = new URL(form.action)
      const path = pathname.slice(this.dataset.base.length) + search
      if (form.dataset.isSent) return
      form.dataset.isSent = 'true'
      const result = await this.post(path, body)
      delete form.dataset.isSent
      if (result === 'unsent') return this.keep({ path, body, what: button?.textContent.trim() })
      if (result.url) location.assign(result.url)
      else this.say(result.text, true)
    }

    /** `unsent`, or the page to show, or why it was refused. */
    async post(path, body) {
      try {
        const response = await fetch(this.dataset.base + path, {
          method: 'POST',
          body: new URLSearchParams(body),
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        })
        if (response.status >= 500 || response.status === 429) return 'unsent'
        const page = new DOMParser().parseFromString(await response.text(), 'text/html')
        // Whoever was signed out sends it once they have given their PIN again.
        if (!response.ok && page.querySelector('main a[href*="/who"]')) return 'unsent'
        const lines = [...page.querySelectorAll('.notice[role="status"] p')]
        const text = lines.map((line) => line.textContent.trim()).join(' ')
        if (response.redirected) return { url: response.url, text }
        const why = page.querySelector('main h1 + p')?.textContent ?? this.dataset.failed
        return { text: why }
      } catch {
        return 'unsent'
      }
    }

    queued() {
      try {
        const all = JSON.parse(localStorage.getItem(this.queueKey) ?? '[]')
        return all.filter(({ at }) => Date.now() - at < QUEUED_MS)
      } catch {
        return []
      }
    }

    store(all) {
      localStorage.setItem(this.queueKey, JSON.stringify(all))
      const what = all.map((one) => one.what).join(', ')
      if (all.length > 0) this.say(this.dataset.queued.replace('{what}', what), true)
    }

    /** The last press about a booking, or about when a date is closed, replaces earlier ones. */
    keep(press) {
      const subject = ({ path, body }) =>
        path.startsWith('/tables') ? body : path + new URLSearchParams(body).get('date')
      this.store([
        ...this.queued().filter((one) => subject(one) !== subject(press)),
        { ...press, at: Date.now() },
      ])
    }

    /** Sends what was kept, in order; the id of each form makes a second sending harmless. */
    async send() {
      if (this.isSending) return
      this.isSending = true
      for (const press of this.queued()) {
        const result = await this.post(press.path, press.body)
        if (result === 'unsent') break
        this.store(this.queued().filter(({ body }) => body !== press.body))
        this.say(result.text || `${press.what} ✓`, !result.url)
        this.live?.look()
      }
      this.isSending = false
    }
  },
)
