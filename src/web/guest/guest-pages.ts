import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { languages, wordsOf } from '../../base/languages.ts'
import { dateOf, noSuchDay, parseSlotTime } from '../../base/local-time.ts'
import { calendarFile } from '../../bookings/steps/calendar-file.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import { chooseMails, mailChoices, readGuestMails } from '../../guests/operations/guest-mails.ts'
import * as guestPage from '../../guests/operations/guest-page.ts'
import { calendarWords } from '../../guests/rules/guest-summary.ts'
import { acceptedLanguage } from '../page/bare-document.ts'
import { html } from '../page/html.ts'
import { acceptLinks, refusalView } from '../page/link-pages.ts'
import { sendPage } from '../page/page.ts'
import { bookingView, cancelView } from './booking-view.ts'
import { changeView } from './change-view.ts'
import { type GuestView, guestDocument, inLanguage } from './guest-document.ts'
import { mailsView } from './mails-view.ts'

const outcomes = ['done', 'amended', 'recorded', 'changed', 'refused', 'too_late'] as const
const lang = z.enum(languages).optional().catch(undefined)
const query = z.object({ lang, done: z.enum(outcomes).optional().catch(undefined) })
const cancelForm = z.object({ fee: z.enum(['none', 'reversed', 'kept']).optional() })
const slotTime = z.stringFormat('local time', (text) => {
  const parsed = parseSlotTime(text)
  return 'local' in parsed && parsed.local === text
})
const acceptForm = z.object({ slot_time: slotTime })
const guests = z.coerce.number().int().min(1).max(1000)
const date = z.iso.date().refine((text) => !noSuchDay(text))
const changeQuery = z.object({
  guests: guests.optional().catch(undefined),
  date: date.optional().catch(undefined),
})
const changeForm = z.object({
  form: z.uuid(),
  revision: z.coerce.number().int(),
  guests,
  date,
  slot_time: slotTime,
})
// RFC 8058: email programs post `List-Unsubscribe=One-Click` when a reader unsubscribes.
const mailsForm = z.object({ mails: z.enum(mailChoices).default('address') })

type Link = { Params: { token: string } }
type Page = guestPage.GuestPage
/** How long a page says that the guest has just changed the booking. */
const JUST_MS = 10 * 60_000

/** The guests' pages, open to anyone with a link: docs/guides/guests.md. */
export async function guestPages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, log } = deps
  acceptLinks(scope, deps, (reply, refusal) => {
    const words = wordsOf(acceptedLanguage(reply.request.headers))
    return sendPage(reply, guestDocument({ words, path: '', here: '' }, ...refusalView(refusal)))
  })

  /** In the language that the reader chose, the agent said or the browser accepts. */
  const viewOf = (
    request: FastifyRequest,
    path: string,
    language: Page['guest']['language'],
    here = path,
  ): GuestView => {
    const chosen = parseInput(query, request.query).lang ?? language
    return { words: wordsOf(chosen ?? acceptedLanguage(request.headers)), path, here }
  }
  const read = async (request: FastifyRequest<Link>, under = '') => {
    const { token } = request.params
    const page = await guestPage.readGuestPage(services, token, new Date())
    const path = `/guest/${token}`
    return { page, view: viewOf(request, path, page.guest.language, `${path}${under}`) }
  }
  const show = (reply: FastifyReply, view: GuestView, page: Page, body = html``) =>
    sendPage(reply, guestDocument(view, page.booking.venue.name, body))
  const callOf = (request: FastifyRequest) => ({
    address: addressOf(request),
    requestId: request.id,
    at: new Date(),
  })
  const finish = (reply: FastifyReply, view: GuestView, outcome: guestPage.GuestOutcome) => {
    log.info({ request_id: reply.request.id, done: outcome }, 'a guest acted on a booking')
    return reply.redirect(`${inLanguage(view, view.path)}&done=${outcome}`, 303)
  }

  scope.get<Link>('/guest/:token', async (request, reply) => {
    const { page, view } = await read(request)
    const { done } = parseInput(query, request.query)
    return show(
      reply,
      view,
      page,
      bookingView(view, page, done && isTrue(done, page) ? done : undefined),
    )
  })

  scope.get<Link>('/guest/:token/calendar.ics', async (request, reply) => {
    const { page, view } = await read(request)
    const { publicUrl } = services.settings
    return reply
      .type(calendarFile.type)
      .header('content-disposition', `attachment; filename="${calendarFile.nameOf(page)}"`)
      .send(calendarFile.render(page, publicUrl, calendarWords(view.words, page, page.at)))
  })

  scope.get<Link>('/guest/:token/cancel', async (request, reply) => {
    const { page, view } = await read(request, '/cancel')
    if (!page.cancellation) return reply.redirect(inLanguage(view, view.path), 303)
    return show(reply, view, page, cancelView(view, page, false))
  })

  scope.post<Link>('/guest/:token/cancel', async (request, reply) => {
    const { token } = request.params
    const { fee: agreedTo } = parseInput(cancelForm, request.body ?? {})
    const outcome = await guestPage.cancelAsGuest(services, { token, agreedTo }, callOf(request))
    const { page, view } = await read(request, '/cancel')
    if (outcome === 'changed' && page.cancellation) {
      return show(reply, view, page, cancelView(view, page, true))
    }
    return finish(reply, view, outcome)
  })

  scope.post<Link>('/guest/:token/accept', async (request, reply) => {
    const { token } = request.params
    const { slot_time } = parseInput(acceptForm, request.body ?? {})
    const wanted = { token, slotTime: slot_time }
    const outcome = await guestPage.acceptAsGuest(services, wanted, callOf(request))
    const { view } = await read(request)
    // The page says that it is confirmed.
    return outcome === 'done'
      ? reply.redirect(inLanguage(view, view.path), 303)
      : finish(reply, view, outcome)
  })

  const wantedOf = async (page: Page, source: unknown) => {
    const { booking } = page
    const wanted = parseInput(changeQuery, source)
    const { date = booking.slot_time.slice(0, 10), guests: partySize = booking.party_size } = wanted
    const times = await guestPage.readOtherTimes(services.db, page, { date, partySize })
    return { date, partySize, times }
  }

  scope.get<Link>('/guest/:token/change', async (request, reply) => {
    const { page, view } = await read(request, '/change')
    if (!page.canChange) return finish(reply, view, 'refused')
    const wanted = await wantedOf(page, request.query)
    return show(reply, view, page, changeView(view, page, wanted))
  })

  scope.post<Link>('/guest/:token/change', async (request, reply) => {
    const { token } = request.params
    const { form: formId, ...form } = parseInput(changeForm, request.body ?? {})
    const { guests: partySize, slot_time, revision } = form
    const wanted = { token, formId, partySize, slotTime: slot_time, revision }
    // Another day was entered, whose times have not been shown.
    const isOtherDay = dateOf(slot_time) !== form.date
    const outcome = isOtherDay
      ? 'taken'
      : await guestPage.changeAsGuest(services, wanted, callOf(request))
    const { page, view } = await read(request, '/change')
    if (outcome === 'kept') return reply.redirect(inLanguage(view, view.path), 303)
    const taken = isOtherDay ? 'change.otherDay' : 'change.taken'
    const why = outcome === 'changed' ? 'cancel.changed' : taken
    const isAgain = outcome === 'taken' || (outcome === 'changed' && page.canChange)
    if (!isAgain) return finish(reply, view, outcome)
    const again = await wantedOf(page, outcome === 'taken' ? request.body : {})
    return show(reply, view, page, changeView(view, page, again, view.words.say(why)))
  })

  const mailsPathOf = (request: FastifyRequest<Link>) => `/guest/mails/${request.params.token}`

  scope.get<Link>('/guest/mails/:token', async (request, reply) => {
    const mails = await readGuestMails(services, request.params.token)
    const view = viewOf(request, mailsPathOf(request), mails.language)
    return sendPage(
      reply,
      guestDocument(view, view.words.say('mails.title'), mailsView(view, mails)),
    )
  })

  const oneClick = { config: { isOneClick: true } }
  scope.post<Link>('/guest/mails/:token', oneClick, async (request, reply) => {
    const { mails } = parseInput(mailsForm, request.body ?? {})
    await chooseMails(services, request.params.token, mails, new Date())
    const { language } = await readGuestMails(services, request.params.token)
    const view = viewOf(request, mailsPathOf(request), language)
    return reply.redirect(inLanguage(view, mailsPathOf(request)), 303)
  })
}

/** Whether an outcome is still true of the booking: anyone can write such an address. */
function isTrue(done: (typeof outcomes)[number], { booking, cancellation, at }: Page): boolean {
  // An offer that was refused is stated by the booking's state.
  if (done === 'done') return booking.status === 'cancelled'
  if (done === 'recorded') return cancellation !== null && booking.change === null
  return done !== 'amended' || at.getTime() - Date.parse(booking.updated_at) < JUST_MS
}
