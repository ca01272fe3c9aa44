import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Language, languages } from '../../base/languages.ts'
import { calendarFile } from '../../bookings/steps/calendar-file.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import { chooseMails, mailChoices, readGuestMails } from '../../guests/operations/guest-mails.ts'
import * as guestPage from '../../guests/operations/guest-page.ts'
import { calendarWords } from '../../guests/rules/guest-summary.ts'
import { html } from '../page/html.ts'
import { acceptLinks } from '../page/link-pages.ts'
import { sendPage } from '../page/page.ts'
import { bookingView, cancelView } from './booking-view.ts'
import { type GuestView, guestDocument, guestView, inLanguage } from './guest-document.ts'
import { mailsView } from './mails-view.ts'

const query = z.object({
  lang: z.enum(languages).optional().catch(undefined),
  done: z.enum(['done', 'recorded', 'too_late']).optional().catch(undefined),
})
const cancelForm = z.object({ fee: z.enum(['none', 'reversed', 'kept']).optional() })
// RFC 8058: email programs post `List-Unsubscribe=One-Click` when a reader unsubscribes.
const mailsForm = z.object({ mails: z.enum(mailChoices).default('address') })

type Link = { Params: { token: string } }

/** The guests' pages, open to anyone with a link: docs/guides/guests.md. */
export async function guestPages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, log } = deps
  acceptLinks(scope, deps, (reply, title, body) =>
    sendPage(reply, guestDocument(guestView('en', ''), title, body)),
  )

  const pathOf = (request: FastifyRequest<Link>) => `/guest/${request.params.token}`
  const viewOf = (request: FastifyRequest, path: string, language: Language, here = path) =>
    guestView(parseInput(query, request.query).lang ?? language, path, here)
  const show = (reply: FastifyReply, view: GuestView, page: guestPage.GuestPage, body = html``) =>
    sendPage(reply, guestDocument(view, page.booking.venue.name, body))

  scope.get<Link>('/guest/:token', async (request, reply) => {
    const page = await guestPage.readGuestPage(services, request.params.token, new Date())
    const view = viewOf(request, pathOf(request), page.guest.language)
    const { done } = parseInput(query, request.query)
    const holds = done === 'recorded' ? page.cancellation !== null : true
    const isTrue = done === 'done' ? page.booking.status === 'cancelled' : holds
    return show(reply, view, page, bookingView(view, page, isTrue ? done : undefined))
  })

  scope.get<Link>('/guest/:token/calendar.ics', async (request, reply) => {
    const entry = await guestPage.readGuestPage(services, request.params.token, new Date())
    const { words } = viewOf(request, pathOf(request), entry.guest.language)
    const { publicUrl } = services.settings
    return reply
      .type(calendarFile.type)
      .header('content-disposition', `attachment; filename="${calendarFile.nameOf(entry)}"`)
      .send(calendarFile.render(entry, publicUrl, calendarWords(words, entry, entry.at)))
  })

  scope.get<Link>('/guest/:token/cancel', async (request, reply) => {
    const page = await guestPage.readGuestPage(services, request.params.token, new Date())
    const path = pathOf(request)
    const view = viewOf(request, path, page.guest.language, `${path}/cancel`)
    if (!page.cancellation) return reply.redirect(inLanguage(view, path), 303)
    return show(reply, view, page, cancelView(view, page, false))
  })

  scope.post<Link>('/guest/:token/cancel', async (request, reply) => {
    const at = new Date()
    const { token } = request.params
    const { fee: agreedTo } = parseInput(cancelForm, request.body ?? {})
    const call = { address: addressOf(request), requestId: request.id, at }
    const outcome = await guestPage.cancelAsGuest(services, { token, agreedTo }, call)
    log.info({ request_id: request.id, done: outcome }, 'a guest asked to cancel')
    const page = await guestPage.readGuestPage(services, token, at)
    const path = pathOf(request)
    const view = viewOf(request, path, page.guest.language, `${path}/cancel`)
    if (outcome === 'changed') {
      return show(reply, view, page, cancelView(view, page, true))
    }
    return reply.redirect(`${inLanguage(view, path)}&done=${outcome}`, 303)
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

  scope.post<Link>('/guest/mails/:token', async (request, reply) => {
    const { mails } = parseInput(mailsForm, request.body ?? {})
    await chooseMails(services, request.params.token, mails, new Date())
    const { language } = await readGuestMails(services, request.params.token)
    const view = viewOf(request, mailsPathOf(request), language)
    return reply.redirect(inLanguage(view, mailsPathOf(request)), 303)
  })
}
