import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { languages, type Words } from '../../base/languages.ts'
import type { PageVenue } from '../../confirmation/store/venue-links.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import { type LinkRequest, personCookie } from '../../doors/guards/venue.ts'
import { readVenuePeople } from '../../notices/operations/venue-people.ts'
import { invitationUrl, personToken } from '../../notices/rules/person-link.ts'
import { mailProof } from '../../notices/steps/add-channel.ts'
import * as people from '../../notices/steps/change-people.ts'
import { signInPerson } from '../../notices/steps/person-sign-in.ts'
import { copyable } from '../page/components.ts'
import { parseForm, withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { peopleView, type SureAct, sureView, whoView } from './people-view.ts'
import { formFields as fields, orAgain, showPeople } from './person-forms.ts'
import { staffView, to } from './staff-document.ts'

const whoForm = z.object({
  person: z.uuid(),
  pin: fields.pin,
  /** a page below that of the venue */
  next: z
    .string()
    .regex(/^(\/[\w-]+){0,4}$/)
    .catch(''),
})
const nextQuery = z.object({ next: whoForm.shape.next })

const act = z.object({
  act: z.enum(['invite', 'again', 'remove', 'end', 'first', 'mail', 'settings']),
  sure: z.literal('yes').optional(),
})
const personForm = z.object({ person: z.uuid() })
const inviteeForm = personForm.extend({ name: fields.name, role: z.enum(['owner', 'staff']) })
const channelForm = z.object({ channel: z.uuid() })
const mailForm = z.object({ mail: fields.mail, agree: z.literal('yes') })
const settingsForm = z.object({
  language: z.enum(languages),
  list_at: fields.time,
  quiet_from: fields.time,
  quiet_until: fields.time,
})

/** Who uses a venue's page on this device, and the page of its people and their channels. */
export async function peoplePages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, guards, publicUrl, log } = deps
  const { db, egress } = services
  const baseOf = (request: LinkRequest) => `/venue/${request.params.token}`
  const read = (venueId: string) => readVenuePeople(db, egress, venueId)

  const viewOf = (request: LinkRequest, venue: PageVenue, page: 'who' | 'people') => {
    const view = staffView(request, venue, baseOf(request))
    return { ...view, path: to(view, `/${page}`) }
  }

  const who = async (request: LinkRequest, reply: FastifyReply, next: string, wrong = html``) => {
    const venue = await guards.openVenueForAnyone(request)
    const here = withQuery(`${baseOf(request)}/who`, { next })
    const view = { ...viewOf(request, venue, 'who'), here }
    const { people: all } = await read(venue.id)
    const title = view.words.say('people.who.title', { venue: venue.name })
    return showPeople(reply, view, title, html`${wrong}${whoView(view, all, next)}`)
  }

  scope.get<Link>('/venue/:token/who', (request, reply) =>
    who(request, reply, nextQuery.parse(request.query).next),
  )

  scope.post<Link>('/venue/:token/who', async (request, reply) => {
    const venue = await guards.openVenueForAnyone(request)
    const view = viewOf(request, venue, 'who')
    const { next } = nextQuery.parse(request.body ?? {})
    const again = (wrong: Html) => who(request, reply, next, wrong)
    return orAgain(reply, view.words, again, async () => {
      const form = parseForm(whoForm, request)
      const at = new Date()
      const attempt = { pin: form.pin, address: addressOf(request), at }
      const signedIn = { venueId: venue.id, personId: form.person }
      const holder = await signInPerson(db, signedIn, attempt)
      personCookie(publicUrl, venue.id).write(reply, personToken(egress, holder, at))
      return reply.redirect(to(view, next), 303)
    })
  })

  scope.post<Link>('/venue/:token/leave', async (request, reply) => {
    const venue = await guards.openVenueForAnyone(request)
    personCookie(publicUrl, venue.id).clear(reply)
    return reply.redirect(viewOf(request, venue, 'who').path, 303)
  })

  const show = async (request: LinkRequest, reply: FastifyReply, notice = html``) => {
    const venue = await guards.openVenueLink(request)
    const view = viewOf(request, venue, 'people')
    const body = peopleView(view, await read(venue.id), services.settings)
    return showPeople(reply, view, view.words.say('people.title'), html`${notice}${body}`)
  }

  scope.get<Link>('/venue/:token/people', (request, reply) => show(request, reply))

  /** What each form of the page does; returns what to say. */
  const acts: Record<z.infer<typeof act>['act'], (call: Call) => Promise<Html | string>> = {
    async invite({ request, by, at }) {
      const { person: id, ...invitee } = parseForm(inviteeForm, request)
      return linkFor(by, { id, ...invitee }, request, at)
    },
    again: ({ request, by, at }) =>
      linkFor(by, { id: parseForm(personForm, request).person }, request, at),
    async remove({ request, by, at }) {
      await people.removeFromVenue(db, by, parseForm(personForm, request).person, at)
      return ''
    },
    end: ({ request, by, at }) => changeChannel(by, request, 'end', at),
    first: ({ request, by, at }) => changeChannel(by, request, 'first', at),
    async mail({ request, by, venue, words, at }) {
      const { mail: address } = parseForm(mailForm, request)
      const proof = { personId: by.personId, address, venue: venue.name, words }
      await mailProof(services, proof, at)
      return words.say('people.proof.sent', { address })
    },
    async settings({ request, by, at }) {
      const form = parseForm(settingsForm, request)
      const { list_at = null, quiet_from = null, quiet_until = null, language } = form
      if ((quiet_from === null) !== (quiet_until === null)) throw refuse('form_incomplete')
      const next = { language, list_at, quiet_from, quiet_until }
      await people.changeNoticeSettings(db, by, next, at)
      return ''
    },
  }

  async function linkFor(by: Person, invitee: people.Invitee, request: LinkRequest, at: Date) {
    const invitationId = await people.invitePerson(db, by, invitee, at)
    const venue = await guards.openVenueLink(request)
    const { say } = staffView(request, venue, '').words
    return html`${say('people.link')} ${copyable(invitationUrl(egress, publicUrl, invitationId))}`
  }

  async function changeChannel(
    by: Person,
    request: LinkRequest,
    change: 'end' | 'first',
    at: Date,
  ) {
    const { channel: channelId } = parseForm(channelForm, request)
    await people.changeChannel(db, by, { channelId, change }, at)
    return ''
  }

  scope.post<Link>('/venue/:token/people', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const view = viewOf(request, venue, 'people')
    const { words } = view
    const { id: personId } = venue.person ?? {}
    if (!personId) return who(request, reply, '/people')
    const again = (wrong: Html) => show(request, reply, wrong)
    return orAgain(reply, words, again, async () => {
      const { act: name, sure } = parseForm(act, request)
      if (isGrave(name) && !sure) {
        const subject = parseForm(name === 'end' ? channelForm : personForm, request)
        const question = sureView(view, name, { act: name, ...subject })
        const { people: all } = await read(venue.id)
        const whose = all.find(({ id }) => 'person' in subject && id === subject.person)
        const title = words.say(`people.acts.${name}`)
        return showPeople(reply, view, whose ? `${title}: ${whose.name}` : title, question)
      }
      const by = { venueId: venue.id, personId }
      const result = await acts[name]({ request, by, venue, words, at: new Date() })
      const line = { request_id: request.id, venue_id: venue.id, person_id: personId, act: name }
      log.info(line, 'the people of a venue were changed')
      return show(request, reply, html`<p role="status">${result || words.say('people.done')}</p>`)
    })
  })
}

type Person = { venueId: string; personId: string }
type Call = { request: LinkRequest; by: Person; venue: PageVenue; words: Words; at: Date }

const isGrave = (name: string): name is SureAct =>
  name === 'again' || name === 'remove' || name === 'end'

type Link = { Params: { token: string } }
