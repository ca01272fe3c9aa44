import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { declineReasons } from '../../confirmation/rules/venue-responses.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import {
  allowMails,
  readMailStop,
  readNotice,
  stopMails,
} from '../../notices/operations/notice-page.ts'
import { answerNotice, type NoticeAnswer } from '../../notices/steps/answer-notice.ts'
import { recordStatus } from '../../notices/steps/record-status.ts'
import type { Recipient } from '../../notices/store/recipients.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { html } from '../page/html.ts'
import { acceptLinks } from '../page/link-pages.ts'
import { noticeTitle, noticeView, outcomes } from './notice-view.ts'
import { inChosen, showVenue, venueView } from './staff-document.ts'
import { showVenueRefusal } from './venue-refusal.ts'

const query = z.object({ done: z.enum(outcomes).optional().catch(undefined) })
const form = z
  .object({
    form: z.uuid(),
    act: z.enum(['accept', 'offer', 'decline']),
    slot_time: z.stringFormat('local time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/).optional(),
    reason: z.enum(declineReasons).optional(),
  })
  .refine(({ act, slot_time }) => act !== 'offer' || slot_time, { path: ['slot_time'] })
  .refine(({ act, reason }) => act !== 'decline' || reason, { path: ['reason'] })

type Link = { Params: { token: string } }

/** The pages that messages to people at venues link to: docs/operate/notices.md. */
export async function noticePages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, log } = deps
  acceptLinks(scope, deps, showVenueRefusal)
  const pathOf = (request: FastifyRequest<Link>) => `/venue/notice/${request.params.token}`
  const gone = (request: FastifyRequest, reply: FastifyReply) => {
    const view = venueView(request)
    const [title, text] = [
      view.words.say('notices.gone.title'),
      view.words.say('notices.gone.text'),
    ]
    return showVenue(reply.code(410), view, title, html`<h1>${title}</h1><p>${text}</p>`)
  }
  const viewOf = (request: FastifyRequest, { venue: name, language }: Recipient) =>
    venueView(request, { name, language })

  const seen = (attemptId: string) =>
    recordStatus(services.db, services.engine, { attemptId }, { status: 'read', at: new Date() })

  // Opening neither answers nor counts as seen, because programs that check mails open links.
  scope.get<Link>('/venue/notice/:token', async (request, reply) => {
    const page = await readNotice(services, request.params.token, new Date())
    if (!page) return gone(request, reply)
    const { done } = parseInput(query, request.query)
    const { status, change } = page.booking ?? {}
    const isOpen = status === 'pending' || Boolean(change)
    const isTrue = isOpen === (done !== 'decided')
    const view = viewOf(request, page.recipient)
    const inWords = { ...page, words: view.words }
    const path = inChosen(view, pathOf(request))
    const body = noticeView(path, inWords, isTrue ? done : undefined)
    return showVenue(reply, view, noticeTitle(inWords), body, 'notice-seen.js')
  })

  scope.post<Link>('/venue/notice/:token', async (request, reply) => {
    const at = new Date()
    const page = await readNotice(services, request.params.token, at)
    if (!page) return gone(request, reply)
    const { form: pressId, ...input } = parseInput(form, request.body ?? {})
    const attemptId = page.recipient.attempt_id
    const result = await answerNotice(services, { attemptId, pressId, answer: answerOf(input) }, at)
    const { outcome, undelivered } = result
    const line = { request_id: request.id, attempt_id: attemptId, outcome }
    log.info(line, 'a person at a venue answered')
    if (undelivered) {
      const error = loggable(undelivered)
      log.warn({ ...line, error }, 'the sweep will deliver the answer of a person at a venue')
    }
    await seen(attemptId)
    const done = outcomes.find((one) => one === outcome)
    const view = viewOf(request, page.recipient)
    return reply.redirect(inChosen(view, pathOf(request), done && { done }), 303)
  })

  // The page's script posts here when somebody touches the page.
  scope.post<Link>('/venue/notice/:token/seen', async (request, reply) => {
    const page = await readNotice(services, request.params.token, new Date())
    if (page) await seen(page.recipient.attempt_id)
    return reply.code(204).send()
  })

  scope.get<Link>('/venue/notice/:token/stop', async (request, reply) => {
    const recipient = await readMailStop(services, request.params.token)
    if (!recipient) return gone(request, reply)
    const view = viewOf(request, recipient)
    const { say } = view.words
    const allow = inChosen(view, `${pathOf(request)}/allow`)
    const body = recipient.isStopped
      ? html`<h1>${say('notices.stop.done')}</h1>
<form method="post" action="${allow}"><button>${say('mails.allow')}</button></form>`
      : html`<h1>${say('notices.stop.title')}</h1><p>${say('notices.stop.text')}</p>
<form method="post" action="${inChosen(view, `${pathOf(request)}/stop`)}"
><button>${say('mail.unsubscribe')}</button></form>`
    return showVenue(reply, view, say('notices.stop.title'), body)
  })

  // RFC 8058, 3.1: programs post here when a reader unsubscribes.
  const oneClick = { config: { isOneClick: true } }
  scope.post<Link>('/venue/notice/:token/stop', oneClick, async (request, reply) => {
    const isStopped = await stopMails(services, request.params.token, new Date())
    const path = inChosen(venueView(request), `${pathOf(request)}/stop`)
    return isStopped ? reply.redirect(path, 303) : gone(request, reply)
  })

  scope.post<Link>('/venue/notice/:token/allow', async (request, reply) => {
    const isAllowed = await allowMails(services, request.params.token)
    const path = inChosen(venueView(request), `${pathOf(request)}/stop`)
    return isAllowed ? reply.redirect(path, 303) : gone(request, reply)
  })
}

function answerOf({ act, slot_time = '', reason = 'other' }: Omit<z.output<typeof form>, 'form'>) {
  const answers: Record<typeof act, NoticeAnswer> = {
    accept: { act: 'accept' },
    offer: { act: 'offer', slotTime: slot_time },
    decline: { act: 'decline', reason },
  }
  return answers[act]
}
