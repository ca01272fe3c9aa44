import type { FastifyRequest } from 'fastify'
import { type Language, type Words, wordsOf } from '../../base/languages.ts'
import type { PageVenue } from '../../confirmation/store/venue-links.ts'
import { sentUrl } from '../../doors/http/sent-url.ts'
import { acceptedLanguage, bareDocument, chosenLanguage } from '../page/bare-document.ts'
import { type Html, html } from '../page/html.ts'

/** A page of a venue's staff: `here` is its path, `base` that of the link. */
export type StaffView = {
  words: Words
  chosen: Language | undefined
  venue: PageVenue
  base: string
  here: string
  at: Date
}

/** In the language that the reader chose, or of the venue; if that is English, of the browser. */
export function staffView(request: FastifyRequest, venue: PageVenue, base: string): StaffView {
  const chosen = chosenLanguage(request)
  // Venues for which nobody chose a language have English, too.
  const own = venue.language === 'en' ? acceptedLanguage(request.headers) : venue.language
  const words = wordsOf(chosen ?? own)
  const here = sentUrl(request)
    .replace(/([?&])lang=[^&]*&?/, '$1')
    .replace(/[?&]$/, '')
  return { words, chosen, venue, base, here, at: new Date() }
}

/** The address of another page of the staff, in the language that they chose. */
export function to({ base, chosen }: StaffView, path: string, query: Record<string, string> = {}) {
  const values = new URLSearchParams({ ...query, ...(chosen && { lang: chosen }) })
  return `${base}${path}${values.size > 0 ? `?${values}` : ''}`
}

const REFRESH_SECONDS = 60

/** A page for a venue's staff; `isLive`: without scripts, it refreshes every minute. */
export function staffDocument(view: StaffView, title: string, body: Html, isLive = false): string {
  const { words, here, venue } = view
  const refresh = html`
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`
  const { say } = words
  return bareDocument(
    {
      ...{ words, here, brand: venue.name, names: ['guest', 'staff'] },
      scripts: ['live-view.js', 'staff-page.js'],
      head: isLive ? refresh : html``,
    },
    `${title} · ${venue.name}`,
    html`<staff-page data-venue="${venue.slug}" data-base="${view.base}"
data-now="${view.at.toISOString()}" data-lost="${say('staff.page.lost')}"
data-queued="${say('staff.page.queued', { what: '{what}' })}"
data-failed="${say('staff.page.failed')}" data-sound="${say('staff.page.sound')}"
>${body}</staff-page>`,
  )
}
