import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { operatorActor } from '../../contract/audit.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import type { Reasoned } from '../../operators/operations/act-on-account.ts'
import type { Act } from '../../operators/steps/act.ts'
import type { DashboardView } from '../dashboard/layout.ts'
import { showPage } from '../dashboard/page.ts'
import * as ui from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'

export const OPERATORS = '/dashboard/operators'

const tabs = {
  Overview: OPERATORS,
  Accounts: `${OPERATORS}/accounts`,
  Bookings: `${OPERATORS}/bookings`,
  Endpoints: `${OPERATORS}/endpoints`,
  Venues: `${OPERATORS}/venues`,
  Payments: `${OPERATORS}/payments`,
}
export type OperatorTab = keyof typeof tabs

/** Maximum length of the reason for an action, which the account's audit log shows. */
const MAX_REASON_CHARS = 500

/** Answers with a page for operators: the search and the navigation above its content. */
export const showOperators = (
  reply: FastifyReply,
  [title, tab]: readonly [title: string, tab: OperatorTab],
  body: Html,
  extras: Pick<DashboardView, 'notice' | 'isBad'> & { query?: string } = {},
): FastifyReply => {
  const { query, ...rest } = extras
  const frame = html`${searchForm(query)}${ui.tabs('Operators', tabs, tab)}${body}`
  return showPage(reply, title, frame, {
    ...rest,
    styles: ['operators.css'],
  })
}

/** A form that is posted, so that pasted keys never appear in an address. */
const searchForm = (query = ''): Html => html`
<form class="find" method="post" action="${OPERATORS}/search" role="search">
<label for="find">Find anything by id, email address, key, venue or agent</label>
<input id="find" name="q" type="search" value="${query}" maxlength="300" required
autocomplete="off" spellcheck="false">
<button>Find</button></form>`

/** The operator acting on an account, and their IP address. */
export function actOf(request: FastifyRequest, accountId: string): Act {
  const { developer } = request
  if (!developer?.is_operator) throw refuse('page_not_found')
  const account = { id: accountId }
  const call = { address: addressOf(request), requestId: request.id, at: new Date() }
  return { by: { actor: operatorActor(developer.id), account, door: 'dashboard', ...call } }
}

/** The acting operator and the reason given in the form; throws `form_incomplete` without one. */
export function reasonedAct(request: FastifyRequest, accountId: string): Reasoned {
  const reason = textFields(request.body, ['reason']).reason?.trim() ?? ''
  if (reason === '' || reason.length > MAX_REASON_CHARS) {
    throw refuse('form_incomplete', `Give a reason of 1 to ${MAX_REASON_CHARS} characters.`)
  }
  return { ...actOf(request, accountId), reason }
}

export const reasonField = (hint = 'The account sees it in its audit log.'): Html =>
  ui.field('Reason', { name: 'reason', required: true, maxlength: MAX_REASON_CHARS }, hint)

export const accountLink = (one: { account_id: string; account_name: string }): Html =>
  ui.link(`${OPERATORS}/accounts/${one.account_id}`, one.account_name)

export const bookingLink = (id: string): Html =>
  ui.link(`${OPERATORS}/bookings/${id}`, html`<code>${id.slice(0, 13)}…</code>`)

/** Makes a table row link to its booking. */
export const bookingRow = (id: string): Html =>
  ui.rowLink(`${OPERATORS}/bookings/${id}`, html`<code>${id.slice(0, 13)}…</code>`)

export const venueLink = (slug: string, name = slug): Html =>
  ui.link(`${OPERATORS}/venues/${slug}`, name)

/** The id in an address; throws `page_not_found` for an invalid one. */
export function idOf(text: string): string {
  const id = z.uuid().toLowerCase().safeParse(text)
  if (!id.success) throw refuse('page_not_found')
  return id.data
}
