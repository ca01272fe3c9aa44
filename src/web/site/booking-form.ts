import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import { z } from 'zod'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { type Problem, Refusal, type RefusalData, refusalData, refuse } from '../../base/errors.ts'
import { confirmBooking } from '../../bookings/operations/confirm-booking.ts'
import type { OwnBooking, Slot } from '../../contract/public.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addressOf, requireGranted } from '../../doors/guards/allowance.ts'
import { readGuestPage } from '../../guests/operations/guest-page.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { type PublicVenue, readPublicVenue } from '../../venues/operations/public-venue.ts'
import { acceptedLanguage } from '../page/bare-document.ts'
import * as ui from '../page/components.ts'
import { problemWords } from '../page/format-problem.ts'
import { acceptForms, parseForm, textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { slotWhen } from './assistant.ts'
import * as shownVenue from './shown-venue.ts'

/** How long a guest's click waits for the booking's decision. */
const WAIT_SECONDS = 5
const [HOUR, DAY] = [3_600, 86_400]

const slotFields = ['date', 'time', 'party_size', 'service'] as const
const ownFields = ['name', 'email', 'phone', 'notes'] as const
type Venue = PublicVenue['venue']
type Values = { [name in (typeof slotFields)[number] | (typeof ownFields)[number]]?: string }

/** A form that was refused: what it said, and why; `form` repeats its id. */
export type Draft = { values: Values; refused: string; form: string | undefined }

const digitsOf = (phone: string) => phone.replaceAll(/\D/g, '')
// E.164: at most 15 digits.
const isPhone = (text: string) =>
  /^[\d+ ()./-]{6,40}$/.test(text) && /^\d{6,15}$/.test(digitsOf(text))
const isEmail = (text: string) => z.email().max(200).safeParse(text).success
const text = (most: number, tooLong: string) =>
  z
    .string()
    .trim()
    .default('')
    .refine(({ length }) => length <= most, tooLong)
const schema = z
  .object({
    form: z.uuid('Open the page again and send the form from there.'),
    date: z.string().default(''),
    time: z.string().default(''),
    party_size: z.coerce.number('Choose how many guests come.'),
    service: z.string().optional(),
    name: text(200, 'Give a shorter name.').refine((name) => name !== '', 'Give your name.'),
    email: text(200, 'Check the email address.').refine(
      (email) => email === '' || isEmail(email),
      'Check the email address.',
    ),
    phone: text(40, 'Check the phone number.').refine(
      (phone) => phone === '' || isPhone(phone),
      'Check the phone number.',
    ),
    notes: text(1000, 'Give a shorter note.'),
    // People do not see this field; programs that fill in everything do.
    website: z.literal('', 'Turn off automatic filling, and send the form again.').default(''),
  })
  .refine(({ email, phone }) => email || phone, 'Give an email address or a phone number.')

/** Refusals about which guests can do something. */
const codesForGuests: ReadonlySet<ErrorCode> = new Set([
  ...shownVenue.formProblems,
  ...(['slot_unavailable', 'slot_held', 'venue_closed', 'slot_off_grid', 'lead_time'] as const),
  ...(['venue_declined', 'venue_no_answer', 'offer_expired', 'too_many_tries'] as const),
  ...(['rate_limited', 'idempotency_mismatch', 'booking_engine_unavailable'] as const),
])
/** Refusals of a form that can be sent again at once. */
const crowded: ReadonlySet<ErrorCode> = new Set(['too_many_in_flight', 'overloaded'])
const labels = { guest: 'name', slot_time: 'time' }
const cannotBook = refusalData('service_unavailable')
const CANNOT_BOOK = 'This form cannot book at the moment. Ask your assistant, or call the venue.'

/** A refusal in words for guests; undefined if they can do nothing about it. */
function guestWords(refusal: RefusalData): string | undefined {
  const { code, facts } = refusal
  if (code === 'form_incomplete') {
    return (facts.errors as Problem[]).map(({ detail }) => detail).join(' ')
  }
  if (crowded.has(code)) return 'Many people are booking. Send the form again in a moment.'
  return codesForGuests.has(code) ? problemWords(refusal, labels) : undefined
}

/**
 * `POST /venues/{slug}/book` books with the operator's own key and leads to the guest's page.
 * `show` renders the venue's page with a refused form. See docs/operate/booking-form.md.
 */
export async function bookingForm(
  scope: FastifyInstance,
  deps: DoorDeps,
  show: (reply: FastifyReply, slug: string, draft: Draft) => Promise<string>,
) {
  const { guards, log } = deps
  acceptForms(scope)
  scope.get<{ Params: { slug: string } }>('/venues/:slug/book', async ({ params }, reply) =>
    reply.redirect(`/venues/${encodeURIComponent(params.slug)}`, 303),
  )
  scope.post<{ Params: { slug: string } }>('/venues/:slug/book', async (request, reply) => {
    guards.admit()
    await guards.requireSameOrigin(request)
    requireGranted(await guards.limitAddress(request))
    const { slug } = request.params
    const { venue } = await readPublicVenue(deps.services, slug, new Date())
    try {
      return reply.redirect(await book(deps, request, venue), 303)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code } = error.data
      const refused = guestWords(error.data)
      if (!refused) log.error({ code, request_id: request.id }, 'the booking form cannot book')
      const values = textFields(request.body, [...slotFields, ...ownFields])
      const isUndecided = code === 'booking_engine_unavailable'
      const { form } = isUndecided ? textFields(request.body, ['form']) : {}
      const page = await show(reply, slug, { values, refused: refused ?? CANNOT_BOOK, form })
      return sendPage(setRefusal(reply, refused ? error.data : cannotBook), page)
    }
  })
}

/** Books, and returns the path of the guest's page. A form that is sent twice books once. */
async function book(deps: DoorDeps, request: FastifyRequest, venue: Venue): Promise<string> {
  const { services, guards, run, config } = deps
  const { form, date, time, service, party_size, website: _, ...said } = parseForm(schema, request)
  await limit(deps, { venue, address: addressOf(request), ...said })
  const { name, email, phone, notes } = said
  const language = acceptedLanguage(request.headers)
  const input = {
    venue_id: venue.id,
    slot_time: `${date}T${time}`,
    party_size,
    ...(service && { service }),
    guest: { name, ...(email && { email, notify: true }), ...(phone && { phone }), language },
    guest_ref: `form ${form}`,
    ...(notes && { notes }),
    idempotency_key: `form-${form}`,
    wait: WAIT_SECONDS,
  }
  await guards.actAs(request, config.BOOKING_FORM_KEY ?? '')
  const read = () => ({ input: parseInput(confirmBooking.input, input) })
  const { result } = await run({ door: 'web', request, operation: confirmBooking, read })
  request.keyHolder = undefined
  if ('refusal' in result) throw new Refusal(result.refusal)
  const { guest_url: page } = result.output.booking as OwnBooking
  if (page === null) throw refuse('service_unavailable')
  const { pathname } = new URL(page)
  // A workflow that is slow to start has not stored the booking yet.
  await readGuestPage(services, pathname.slice('/guest/'.length), new Date()).catch(() => {
    throw refuse('booking_engine_unavailable')
  })
  return pathname
}

type Attempt = { venue: Venue; address: string; email: string; phone: string }

/** Counts a form against its sender, its guest and the venue; throws `too_many_tries`. */
async function limit({ services: { db }, config }: DoorDeps, attempt: Attempt) {
  const { venue, address, email, phone } = attempt
  const count = (of: string, most: number, windowSeconds: number, who: string) =>
    throttle(db, { name: `booking form by ${of}`, most, windowSeconds }, who, new Date())
  await count('address', config.BOOKING_FORM_PER_ADDRESS, HOUR, address)
  // One mailbox or number counts once, however it is written.
  const number = parsePhoneNumberFromString(phone, venue.country as CountryCode)?.number
  for (const who of [email.replace(/\+[^@]*/, ''), number ?? digitsOf(phone)].filter(Boolean)) {
    await count('guest', config.BOOKING_FORM_PER_GUEST, DAY, who)
  }
  await count('venue', config.BOOKING_FORM_PER_VENUE, DAY, venue.id)
}

/**
 * The form for the chosen time; empty without one. If that time was taken meanwhile, the form keeps
 * what was entered and asks for another one of that day.
 */
export function bookingFields(view: shownVenue.ShownVenue, draft: Draft | undefined): Html {
  const { venue, date, partySize, services } = view
  const chosen = shownVenue.chosenSlot(view)
  const others = draft && date ? shownVenue.freeSlots(view) : []
  const slot = chosen ?? others[0]
  if (!slot) return html`${ui.alert(draft?.refused)}`
  const service = services.length > 1 ? (chosen?.service ?? view.service) : ''
  const fixed = { date: slot.slot_time.slice(0, 10), party_size: String(partySize), service }
  const clockOf = ({ slot_time }: Slot) => slot_time.slice(11, 16)
  const clocks = Object.fromEntries(others.map((one) => [clockOf(one), clockOf(one)]))
  const text = (label: string, name: keyof Values, more: object, hint?: string) =>
    ui.field(label, { name, value: draft?.values[name], autocomplete: name, ...more }, hint)
  const hint = 'For the confirmation, changes and a reminder. An email or a phone number is enough.'
  const fields = [
    draft?.form ? ui.hidden('form', draft.form) : ui.formId(),
    ...Object.entries(fixed).map(([name, value]) => ui.hidden(name, value)),
    chosen ? ui.hidden('time', clockOf(slot)) : ui.choice('Time', 'time', clocks),
    html`<p hidden><label>Website
<input name="website" tabindex="-1" autocomplete="off"></label></p>`,
    text('Name', 'name', { maxlength: 200, required: true }),
    text('Email', 'email', { type: 'email', maxlength: 200 }, hint),
    text('Phone', 'phone', { type: 'tel', autocomplete: 'tel', maxlength: 40 }),
    text('Note for the venue', 'notes', { autocomplete: 'off', maxlength: 1000 }),
  ]
  const terms = shownVenue.terms(view).filter(([term]) => shownVenue.bindingTerms.has(term))
  return html`<h2>${chosen ? `Book ${slotWhen(slot, partySize)}` : 'Choose another time'}</h2>
${service && html`<p>${service}${slot.price && `, ${slot.price}`}</p>`}
${ui.facts(terms)}${ui.alert(draft?.refused)}
${ui.stackForm(`/venues/${venue.slug}/book#book`, 'Book', fields, 'main')}`
}
