import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusalData } from '../../base/errors.ts'
import { openedVenue } from '../../doors/guards/venue.ts'
import { sentPath } from '../../doors/http/sent-url.ts'
import { linkButton } from '../page/components.ts'
import { html } from '../page/html.ts'
import { refusalView } from '../page/link-pages.ts'
import { inChosen, showVenue, type VenueView, venueView } from './staff-document.ts'

/** What the languages other than English say about a refusal. */
const texts = {
  venue_link_invalid: 'staff.refused.link',
  link_already_used: 'staff.refused.link',
  invitation_invalid: 'people.wrong.invitation',
  person_required: 'staff.refused.who',
  rate_limited: 'staff.refused.busy',
  overloaded: 'staff.refused.busy',
  invalid_request: 'staff.refused.form',
  form_incomplete: 'staff.refused.form',
  origin_not_allowed: 'staff.refused.form',
  booking_not_found: 'staff.refused.none',
  page_not_found: 'staff.refused.none',
} as const

/** Shows a refusal to people at a venue, or first asks who they are. */
export function showVenueRefusal(reply: FastifyReply, refusal: RefusalData) {
  const { request } = reply
  const view = { ...venueView(request, openedVenue(request)), here: '' }
  const { say, language } = view.words
  const who = refusal.code === 'person_required' && signInAt(request, view)
  if (who && request.method === 'GET') return reply.redirect(who, 303)
  const [title, body] = refusalView(refusal)
  const name = texts[refusal.code as keyof typeof texts]
  const more = who && html`<p>${linkButton(who, say('people.who.submit'))}</p>`
  if (language === 'en' || !name) return showVenue(reply, view, title, html`${body}${more}`)
  const own = say('staff.refused.title')
  return showVenue(reply, view, own, html`<h1>${own}</h1><p>${say(name)}</p>${more}`)
}

/** Where people of a venue say who they are, and then get to the page that they asked for. */
function signInAt(request: FastifyRequest, view: VenueView): string {
  const base = `/venue/${(request.params as { token: string }).token}`
  const next = request.method === 'GET' ? sentPath(request).slice(base.length) : ''
  return inChosen(view, `${base}/who`, { next })
}
