import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkAvailability } from '../../../availability/operations/check-availability.ts'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import { Refusal } from '../../../contract/rules/errors.ts'
import { readPublicVenue } from '../../../venues/operations/public-venue.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import { problemWords } from '../problem-words.ts'
import { jsonLd, venueLinkedData } from './json-ld.ts'
import { publicPage } from './public-page.ts'
import { queryField } from './query-field.ts'
import type { PublicDeps } from './search-page.ts'
import { sendTwin } from './send-document.ts'
import { venueMarkdown } from './venue-markdown.ts'
import { type ShownVenue, venueView } from './venue-view.ts'
import { categoryWords } from './venue-words.ts'

/** Without a date so many days are looked at, for the first few with something free. */
const DAYS_LOOKED_AT = 7
const DAYS_SHOWN = 3
/** What the form can be wrong about: the page is shown with what is wrong. */
const aboutTheForm = new Set([
  'invalid_request',
  'slot_in_past',
  'beyond_horizon',
  'party_too_small',
  'party_too_large',
])

/** `/venues/{slug}`: a venue, its times for a party and how they are booked; with `.md` the same in Markdown. */
export async function venuePage(scope: FastifyInstance, { services, call, publicUrl }: PublicDeps) {
  scope.get<{ Params: { slug: string } }>('/venues/:slug', async (request, reply) => {
    const { slug: asked } = request.params
    const isMarkdown = asked.endsWith('.md')
    const slug = isMarkdown ? asked.slice(0, -'.md'.length) : asked
    const { date, partySize, time } = wishesOf(request)
    const days = date ? { date } : { days: DAYS_LOOKED_AT }
    const answer = await call(request, reply, checkAvailability, {
      slug,
      ...days,
      ...(partySize && { party_size: Number(partySize) }),
    })
    if (answer.refusal) {
      const { code } = answer.refusal
      if (!aboutTheForm.has(code)) throw new Refusal(answer.refusal)
      reply.code(errorCatalogue[code].status).headers(refusalHeaders(answer.refusal))
    }
    const found = await readPublicVenue(services, slug, new Date())
    const path = `/venues/${found.venue.slug}`
    if (slug !== found.venue.slug) {
      const [, question] = request.url.split('?', 2)
      const to = isMarkdown ? `${path}.md` : path
      return reply.redirect(question ? `${to}?${question}` : to, 308)
    }

    const shown: ShownVenue = {
      ...found,
      date,
      time,
      partySize: answer.output?.party_size ?? (Number(partySize) || 2),
      days: date ? (answer.output?.days ?? []) : firstFree(answer.output?.days ?? []),
      problem: answer.refusal ? problemWords(answer.refusal) : null,
      feePct: services.settings.feePct,
      publicUrl,
    }
    const { venue } = found
    const html = () =>
      publicPage(venue.name, venueView(shown), {
        description: `${categoryWords[venue.category]} in ${venue.area}, ${venue.city}. ${venue.description}`,
        canonical: `${publicUrl}${path}`,
        markdown: `${path}.md`,
        head: jsonLd(venueLinkedData(found, publicUrl)),
      })
    return sendTwin(request, reply, { html, markdown: () => venueMarkdown(shown) }, { isMarkdown })
  })
}

const wishesOf = (request: FastifyRequest) => ({
  date: queryField(request, 'date'),
  partySize: queryField(request, 'party_size'),
  time: queryField(request, 'time'),
})

const firstFree = (days: ShownVenue['days']) =>
  days.filter(({ status }) => status === 'available' || status === 'limited').slice(0, DAYS_SHOWN)
