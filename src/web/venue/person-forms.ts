import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Problem, Refusal } from '../../base/errors.ts'
import type { Words } from '../../base/languages.ts'
import { guestName } from '../../contract/fields.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import { alert } from '../page/components.ts'
import { problemWords } from '../page/format-problem.ts'
import { type Html, html } from '../page/html.ts'
import { showVenue, type VenueView } from './staff-document.ts'

/** A field that may be left empty. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional())

/** What the forms about people contain. */
export const formFields = {
  pin: z.string().regex(/^\d{6}$/),
  name: guestName.pipe(z.string().trim().max(60)),
  mail: z.string().trim().max(254).pipe(z.email()),
  agree: z.literal('yes').optional(),
  time: optional(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
}

/** Sends a page about people. */
export const showPeople = (reply: FastifyReply, view: VenueView, title: string, body: Html) =>
  showVenue(reply, view, title, html`<h1>${title}</h1>${body}`, 'copy-button.js')

/** The refusals that these pages explain in the reader's language. */
const inWords = {
  form_incomplete: 'people.wrong.form',
  wrong_pin: 'people.wrong.pin',
  too_many_tries: 'people.wrong.tries',
  invitation_invalid: 'people.wrong.invitation',
  owner_required: 'people.wrong.owner',
  last_venue_owner: 'people.wrong.lastOwner',
  address_stopped: 'people.wrong.stopped',
} as const

/** The same for one field, by its pointer. */
const faults: Record<string, 'people.wrong.newPin' | 'people.wrong.mail' | undefined> = {
  '/pin': 'people.wrong.newPin',
  '/mail': 'people.wrong.mail',
  '/agree': 'people.wrong.mail',
}

/** Runs what a form asks for; after a refusal, shows the form again with the reason. */
export async function orAgain(
  reply: FastifyReply,
  words: Words,
  again: (wrong: Html) => unknown,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { data } = error
    if (data.code === 'person_required' || data.code === 'venue_link_invalid') throw error
    setRefusal(reply, data)
    const [fault] = (data.code === 'form_incomplete' && (data.facts.errors as Problem[])) || []
    const name = faults[fault?.pointer ?? ''] ?? inWords[data.code as keyof typeof inWords]
    return again(alert(name ? words.say(name) : problemWords(data)))
  }
}
