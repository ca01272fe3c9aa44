import type { AnyDispute } from '../../../../bookings/store/disputes.ts'
import { refuse } from '../../../../contract/rules/errors.ts'
import {
  decideDispute,
  readDisputed,
  readDisputes,
} from '../../../../operators/operations/decide-dispute.ts'
import * as ui from '../../components.ts'
import { doneNotice, paramsOf, textFields } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { type Page, redirectDone } from '../page-kit.ts'
import { accountLink, idOf, OPERATORS, reasonedAct, reasonField, showOperators } from './kit.ts'

const PATH = `${OPERATORS}/disputes`

const done = { decided: 'Dispute decided. The account sees the decision and your reason.' }

/** `/dashboard/operators/disputes`: deposits that accounts say were wrongly kept. */
export const disputes: Page = async (scope, { services }) => {
  scope.get(PATH, async (request, reply) => {
    const found = await readDisputes(services)
    const open = found.filter(({ status }) => status === 'open')
    const decided = found.filter(({ status }) => status !== 'open')
    const none = ui.note('No dispute has been decided yet.')
    const body = html`
${open.length === 0 ? ui.empty('No open dispute', 'Nothing waits for a decision.') : ''}
${open.map(disputeView)}
<h2>Decided</h2>
${ui.listTable('Decided disputes', decided, columns, none)}`
    const notice = doneNotice(request, done)
    return showOperators(reply, ['Disputes', 'Disputes'], body, { notice })
  })

  scope.post(`${PATH}/:id`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const { account_id } = await readDisputed(services, id)
    const { decision } = textFields(request.body, ['decision'])
    if (decision !== 'kept' && decision !== 'returned') {
      throw refuse('form_incomplete', 'Choose a decision.')
    }
    await decideDispute(services, reasonedAct(request, account_id), { id, decision })
    return redirectDone(reply, PATH, 'decided')
  })
}

const bookingLink = ({ booking_id }: AnyDispute): Html =>
  ui.link(`${OPERATORS}/bookings/${booking_id}`, `…${booking_id.slice(-8)}`)

const disputeView = (one: AnyDispute): Html => html`
<section><h2>${one.deposit.text} at ${one.venue_name}</h2>
${ui.facts([
  ['Account', accountLink(one)],
  ['Booking', bookingLink(one)],
  ['Kept because', one.kept_because ?? '–'],
  ['Opened', ui.when(one.opened_at)],
  ['The account says', one.reason],
])}
<details><summary>Signed timeline when it was disputed</summary>
${ui.table(
  ['When', 'By', 'What', 'Why'],
  one.evidence.entries.map(({ at, by, what, why }) => [ui.when(at), by, what, why]),
)}</details>
${ui.stackForm(`${PATH}/${one.id}`, 'Decide', [
  ui.choice('Decision', 'decision', { returned: 'Return it', kept: 'Keep it for the venue' }),
  reasonField('The account sees it.'),
])}</section>`

const columns: ui.Columns<AnyDispute> = {
  Booking: bookingLink,
  Account: accountLink,
  Deposit: ({ deposit }) => ui.figure(deposit.text),
  Decision: ({ status }) => ui.badge(status, status === 'returned' ? 'good' : 'quiet'),
  Reason: ({ decision_reason }) => decision_reason ?? '–',
  Decided: ({ decided_at }) => ui.when(decided_at),
}
