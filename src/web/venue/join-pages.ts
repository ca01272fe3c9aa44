import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { venueLinkUrl } from '../../confirmation/rules/venue-link.ts'
import { insertLink, selectOptionalPageVenue } from '../../confirmation/store/venue-links.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import { personCookie } from '../../doors/guards/venue.ts'
import { invitationIdOf, personToken } from '../../notices/rules/person-link.ts'
import { mailProof, proveMail, readProof } from '../../notices/steps/add-channel.ts'
import { joinVenue, readInvitation } from '../../notices/steps/person-sign-in.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { hidden, stackForm } from '../page/components.ts'
import { parseForm, withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { joinView } from './people-view.ts'
import { formFields as fields, optional, orAgain, showPeople } from './person-forms.ts'
import { inChosen, venueView } from './staff-document.ts'

const joinForm = z
  .object({
    name: fields.name,
    pin: fields.pin,
    mail: optional(fields.mail),
    agree: fields.agree,
  })
  .refine(({ mail, agree }) => (mail === undefined) === (agree === undefined), { path: ['mail'] })
const typed = z
  .object({ name: z.string(), mail: z.string(), agree: z.string() })
  .partial()
  .catch({})
const proofForm = z.object({ token: z.string().max(1000).catch('') })

/** A person's own link, with the id of their invitation, opens nothing without their PIN. */
const LINK_DAYS = 366

/** The pages of an invitation to a venue and of a mail that proves an address. */
export async function joinPages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, publicUrl, log } = deps
  const { db, egress, settings } = services

  const open = (request: JoinRequest) =>
    readInvitation(db, invitationIdOf(egress, request.params.token), new Date())

  const show = async (request: JoinRequest, reply: FastifyReply, wrong = html``) => {
    const { name, venue, language } = await open(request)
    const place = venueView(request, { name: venue, language })
    const view = { ...place, path: inChosen(place, `/venue/join/${request.params.token}`) }
    const title = view.words.say('people.join.title', { venue })
    const { name: own = name, ...more } = typed.parse(request.body ?? {})
    const form = joinView(view, { name: own, ...more }, settings.sendsMail)
    return showPeople(reply, view, title, html`${wrong}${form}`)
  }

  // Programs that scan messages open links, so only the form joins.
  scope.get<Join>('/venue/join/:token', async (request, reply) => {
    // Whoever has joined finds the way back from the same message.
    const linkId = invitationIdOf(egress, request.params.token)
    const isUsed = linkId && (await selectOptionalPageVenue(db, linkId))
    return isUsed ? reply.redirect(venueLinkUrl(egress, '', linkId), 303) : show(request, reply)
  })

  scope.post<Join>('/venue/join/:token', async (request, reply) => {
    const invitation = await open(request)
    const { venue: name, language } = invitation
    const view = venueView(request, { name, language })
    const { words } = view
    const again = (wrong: Html) => show(request, reply, wrong)
    return orAgain(reply, words, again, async () => {
      const { name: personName, pin, mail } = parseForm(joinForm, request)
      const at = new Date()
      const attempt = { pin, address: addressOf(request), at }
      const person = await joinVenue(db, invitation, personName, attempt)
      const { id: personId, venue_id: venueId } = person
      log.info(
        { request_id: request.id, venue_id: venueId, person_id: personId },
        'a person joined',
      )
      personCookie(publicUrl, venueId).write(reply, personToken(egress, person, at))
      // Whoever has joined stays joined; the page of people sends another mail.
      if (mail && settings.sendsMail) {
        const proof = { personId, address: mail, venue: invitation.venue, words }
        await mailProof(services, proof, at).catch((error: unknown) =>
          log.warn({ person_id: personId, error: loggable(error) }, 'no mail proved an address'),
        )
      }
      const { invitationId: id } = invitation
      await insertLink(db, { id, venueId, bookingId: null, days: LINK_DAYS, at })
      const mailed = mail && settings.sendsMail && { mailed: '1' }
      return reply.redirect(inChosen(view, venueLinkUrl(egress, '', id), mailed || {}), 303)
    })
  })

  scope.get('/venue/mail', async (request, reply) => {
    const { token } = proofForm.parse(request.query)
    const { address, name } = await readProof(services, token, new Date())
    const view = venueView(request)
    const { say } = view.words
    const path = inChosen(view, '/venue/mail')
    const form = stackForm(path, say('people.proof.yes'), [hidden('token', token)], 'main')
    const ask = html`<p>${say('people.proof.ask', { name, address })}</p>${form}`
    return showPeople(reply, view, say('people.proof.title'), ask)
  })

  scope.post('/venue/mail', async (request, reply) => {
    const { token } = proofForm.parse(request.body ?? {})
    const view = { ...venueView(request), here: withQuery('/venue/mail', { token }) }
    const { words } = view
    const say = (wrong: Html) => showPeople(reply, view, words.say('people.proof.title'), wrong)
    return orAgain(reply, words, say, async () => {
      await proveMail(services, token, new Date())
      return say(html`<p role="status">${words.say('people.proof.done')}</p>`)
    })
  })
}

type Join = { Params: { token: string } }
type JoinRequest = FastifyRequest<Join>
