import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { payLocally } from '../../payments/providers/local.ts'
import { localCards } from '../../payments/rules/cards.ts'
import { sandboxPayments } from '../../payments/steps/deps.ts'
import { recordPaid } from '../../payments/steps/record-paid.ts'
import { type LocalCharge, selectLocalPage } from '../../payments/store/local-charges.ts'
import * as ui from '../page/components.ts'
import { parseForm } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { acceptLinks, refusalView } from '../page/link-pages.ts'
import { page } from '../page/page.ts'

type PayLink = { Params: { token: string } }
const form = z.object({ card: z.enum(localCards, 'Choose a card.') })

const cards = {
  works: 'Succeeds',
  declined: 'Is declined',
  asks: 'Succeeds here; later charges need the cardholder',
  silent: 'No answer for two minutes, then succeeds',
}

const cardHint = 'If you add the card to the account, later charges behave the same way.'

/**
 * `/pay/…`: the payment pages of the local provider, which moves no money. Sandboxes use it, and
 * live accounts too while `PAYMENTS=local`.
 */
export async function localPaymentPages(scope: FastifyInstance, deps: DoorDeps) {
  const { payments: live, db } = deps.services
  if (!live) return
  const payments = sandboxPayments(live)
  acceptLinks(scope, deps, (reply, refusal) => sendNarrow(reply, ...refusalView(refusal)))

  const pageOf = async (token: string): Promise<LocalCharge> => {
    const charge = await selectLocalPage(db, token)
    if (!charge) throw refuse('page_not_found', 'There is no such payment page.')
    return charge
  }

  scope.get<PayLink>('/pay/:token', async (request, reply) => {
    const charge = await pageOf(request.params.token)
    return show(reply, titleOf(charge), view(charge))
  })

  scope.post<PayLink>('/pay/:token', async (request, reply) => {
    const charge = await pageOf(request.params.token)
    const { card } = parseForm(form, request)
    const at = new Date()
    const outcome = await payLocally(db, charge, card, at)
    if (outcome === 'declined') {
      const wrong = 'The card was declined. Nothing was charged. Try another card.'
      return show(reply, titleOf(charge), view(charge, wrong))
    }
    const isUsed = outcome === 'done' && (await recordPaid(payments, charge.id, at))
    if (isUsed) return reply.redirect(charge.return_url ?? '/', 303)
    const now = await pageOf(request.params.token)
    const isEarlier = outcome === 'over' && now.state === 'succeeded'
    const state = isEarlier ? now.state : 'closed'
    return show(
      reply.code(409),
      titleOf(now),
      view({ ...now, state }, isEarlier ? USED : undefined),
    )
  })
}

const REPLACED =
  'This page was replaced when a newer one was opened. Use the newer one, or open another on ' +
  'the Plan page of the dashboard or through your agent.'
const USED = 'This page was used before. Nothing was charged or saved this time.'

const titleOf = ({ amount_minor, currency }: LocalCharge): string =>
  amount_minor === null || currency === null ? 'Add a card' : `Pay ${money(amount_minor, currency)}`

const show = (reply: FastifyReply, title: string, body: Html) =>
  sendNarrow(reply, title, html`<h1>${title}</h1>${body}`)

const sendNarrow = (reply: FastifyReply, title: string, body: Html) =>
  reply
    .type('text/html; charset=utf-8')
    .send(page(title, html`<div class="narrow">${body}</div>`, { request: reply.request }))

/** A function, because the field on each page needs its own id. */
const cardChoice = () => ui.choice('Test card', 'card', cards, 'works')

function view(charge: LocalCharge, wrong?: string): Html {
  const { idempotency_key: token, description, state, return_url } = charge
  const isSandbox = return_url?.endsWith(`/pay/${token}`)
  const back = !isSandbox && html`<p>${ui.link(return_url ?? '/', 'Back to the dashboard')}</p>`
  if (state === 'succeeded') return html`<p>${wrong ?? 'Done: this page has been used.'}</p>${back}`
  if (state !== 'open') {
    const over = charge.amount_minor === null ? REPLACED : 'This page is no longer needed.'
    return html`<p>${over} Nothing was charged or saved here.</p>${back}`
  }
  return html`
<p class="notice">This is a test page, and <strong>no money moves</strong>. It stands in for the
page of a payment provider.</p>
${ui.alert(wrong)}
<p>${description}</p>
${ui.stackForm(`/pay/${token}`, titleOf(charge), [cardChoice()], 'main')}
${ui.note(cardHint)}${back}`
}
