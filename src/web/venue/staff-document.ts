import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, type Words, wordsOf } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import type { PageVenue } from '../../confirmation/store/venue-links.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { sentUrl } from '../../doors/http/sent-url.ts'
import { acceptedLanguage, bareDocument, chosenLanguage } from '../page/bare-document.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'

/** A page for people at a venue: `here` is its address without the language. */
export type VenueView = {
  words: Words
  chosen: Language | undefined
  here: string
  /** the name of the venue or, where that is unknown, of the network */
  brand: string
}

/** A page of a venue's staff: `base` is the path of the link. */
export type StaffView = VenueView & { venue: PageVenue; base: string; at: Date }

/** In the language that the reader chose, or of the venue; if that is English, of the browser. */
export function venueView(
  request: FastifyRequest,
  { name, language }: { name: string; language: Language } = anyVenue,
): VenueView {
  const chosen = chosenLanguage(request)
  // Venues for which nobody chose a language have English, too.
  const own = language === 'en' ? acceptedLanguage(request.headers) : language
  const here = sentUrl(request)
    .replace(/([?&])lang=[^&]*&?/, '$1')
    .replace(/[?&]$/, '')
  return { words: wordsOf(chosen ?? own), chosen, here, brand: name }
}

const anyVenue = { name: networkProfile.name, language: 'en' } as const

export const staffView = (request: FastifyRequest, venue: PageVenue, base: string): StaffView => ({
  ...{ ...venueView(request, venue), venue, base, at: new Date() },
})

/** An address in the language that the reader chose. */
export function inChosen(
  { chosen }: Pick<VenueView, 'chosen'>,
  path: string,
  query: Record<string, string> = {},
) {
  const values = new URLSearchParams({ ...query, ...(chosen && { lang: chosen }) })
  return `${path}${values.size > 0 ? `?${values}` : ''}`
}

/** The address of another page of the staff, in the language that they chose. */
export const to = (view: StaffView, path: string, query?: Record<string, string>): string =>
  inChosen(view, view.base + path, query)

const REFRESH_SECONDS = 60
const names = ['guest', 'staff']

/** A page for a venue's staff; `isLive`: without scripts, it refreshes every minute. */
export function staffDocument(view: StaffView, title: string, body: Html, isLive = false): string {
  const { words, here, venue, brand } = view
  const refresh = html`
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`
  const { say } = words
  const scripts = ['live-view.js', 'staff-page.js']
  return bareDocument(
    { words, here, brand, names, scripts, head: isLive ? refresh : html`` },
    `${title} · ${venue.name}`,
    html`<staff-page data-venue="${venue.slug} ${venue.person?.id ?? ''}" data-base="${view.base}"
data-now="${view.at.toISOString()}" data-lost="${say('staff.page.lost')}"
data-queued="${say('staff.page.queued', { what: '{what}' })}"
data-failed="${say('staff.page.failed')}" data-sound="${say('staff.page.sound')}"
>${body}</staff-page>`,
  )
}

/** Sends a page for people at a venue; `script` names an element that it needs. */
export function showVenue(
  reply: FastifyReply,
  { words, here, brand }: VenueView,
  title: string,
  body: Html,
  script?: string,
) {
  if (script) reply.header('content-security-policy', dashboardPolicy)
  const bare = { words, here, brand, names, scripts: script ? [script] : [] }
  return sendPage(reply, bareDocument(bare, `${title} · ${brand}`, body))
}
