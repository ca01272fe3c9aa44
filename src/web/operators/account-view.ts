import type { ApiKey } from '../../accounts/schema/keys.ts'
import type { LoggedCall } from '../../accounts/schema/usage.ts'
import { type AuditAction, auditActions } from '../../base/audit-actions.ts'
import { money } from '../../base/money.ts'
import type { AccountDetail } from '../../operators/operations/read-accounts.ts'
import type {
  AccountMember,
  AccountRow,
  ListedBooking,
  Sandbox,
} from '../../operators/store/accounts.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import { paymentBadge, purposeWords } from '../dashboard/format-payment.ts'
import { dueWords } from '../dashboard/pages/plan-payments.ts'
import { endpointBadge, statusBadge } from '../dashboard/status-badges.ts'
import { requestsPerDay } from '../dashboard/trends.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { durationText, localText, monthText } from '../page/times.ts'
import { actsView, ofLimit } from './account-acts.ts'
import { bookingRow, OPERATORS, reasonField } from './operators-page.ts'

/** The state of an account, as a badge. */
export const stateBadge = ({ suspended_at, deleted_at }: AccountRow): Html =>
  deleted_at
    ? ui.badge('deleted', 'quiet')
    : suspended_at
      ? ui.badge('suspended', 'bad')
      : ui.badge('active', 'good')

/** Everything about an account except guests and secrets. `isOwn`: it is the reader's account. */
export const accountView = (detail: AccountDetail, isOwn: boolean): Html => html`
${factsView(detail)}
${!detail.account.deleted_at && actsView(detail, isOwn)}
<h2>Use</h2>
${requestsPerDay(detail.usage.days)}
<h2>Members</h2>
${ui.listTable('Members', detail.members, memberColumns, ui.note('Nobody can sign in.'))}
${
  detail.sandboxes.length > 0 &&
  html`<h2>Sandboxes</h2>${ui.listTable('Sandboxes', detail.sandboxes, sandboxColumns)}`
}
<h2>Keys</h2>
${ui.listTable('Keys', detail.keys, keyColumns, ui.note('None.'))}
<h2>Endpoints</h2>
${ui.listTable('Endpoints', detail.endpoints, endpointColumns, ui.note('None.'))}
<h2>Latest bookings</h2>
${ui.listTable('Latest bookings', detail.bookings, bookingColumns, ui.note('None.'))}
${moneyView(detail)}
<h2>Latest requests</h2>
${ui.listTable('Latest requests', detail.requests, requestColumns, ui.note('None in 7 days.'))}
<h2>Latest changes</h2>
${ui.listTable('Latest changes', detail.changes, changeColumns, ui.note('None.'))}`

function factsView({ account, usage, limits, month }: AccountDetail): Html {
  const { used, limit } = usage
  const { has } = limits
  const busiest = has.venue === null ? '' : ` (${has.venue}, ${has.day})`
  const counts = Object.entries(month.counts)
  return ui.facts([
    ['Account', ui.copyable(account.id)],
    [
      'Sandbox of',
      account.live_account_id &&
        ui.link(`${OPERATORS}/accounts/${account.live_account_id}`, account.name),
    ],
    ['State', stateBadge(account)],
    ['Suspended', account.suspended_at && ui.when(account.suspended_at)],
    ['Reason', account.suspended_reason],
    ['Plan', account.tier],
    ['Requests today', `${ui.grouped(used)} of ${ui.grouped(limit)}`],
    ['Live bookings', `${ui.grouped(has.live)}${ofLimit(limits.limits.live)}`],
    ['At one venue and day', `${has.busiest}${ofLimit(limits.limits.perVenueDay)}${busiest}`],
    ['Completed bookings', ui.grouped(has.completed)],
    [
      `Bookings made in ${monthText(month.month)}`,
      counts.map(([status, count]) => `${ui.grouped(count)} ${status}`).join(', ') || 'none',
    ],
    ['Money', ui.link(`${OPERATORS}/accounts/${account.id}/ledger`, 'Ledger and invoices')],
    ['Opened', ui.when(account.created_at)],
  ])
}

const moneyView = ({ account, due, payments }: AccountDetail): Html => html`
${
  due.length > 0 &&
  html`<h2>To pay</h2>${ui.listTable('To pay', due, {
    For: dueWords,
    Issued: ({ issued_at }) => ui.when(issued_at),
    Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
    '': ({ id }) =>
      ui.stackForm(`${OPERATORS}/accounts/${account.id}/charge`, 'Charge the card', [
        ui.hidden('due_id', id),
        reasonField(),
      ]),
  })}`
}
<h2>Latest payments</h2>
${ui.listTable('Latest payments', payments, paymentColumns, ui.note('None.'))}`

const paymentColumns: ui.Columns<AccountDetail['payments'][number]> = {
  Payment: ({ id }) => ui.link(`${OPERATORS}/payments/${id}`, `…${id.slice(-8)}`),
  When: ({ created_at }) => ui.when(created_at),
  For: ({ purpose }) => purposeWords[purpose],
  Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
  State: paymentBadge,
}

const memberColumns: ui.Columns<AccountMember> = {
  Address: ({ email }) => email,
  Verified: ({ is_verified }) => (is_verified ? 'yes' : ui.badge('no', 'wait')),
  Role: ({ role, is_operator }) => html`${role} ${is_operator && ui.badge('operator', 'quiet')}`,
  Joined: ({ created_at }) => ui.when(created_at),
  'Last seen': ({ seen_at }) => ui.when(seen_at),
}

const sandboxColumns: ui.Columns<Sandbox> = {
  Sandbox: ({ id, kind }) =>
    ui.link(`${OPERATORS}/accounts/${id}`, kind === 'clock' ? 'With a test clock' : 'Default'),
  'Requests for bookings': ({ bookings }) => ui.grouped(bookings),
  Opened: ({ created_at }) => ui.when(created_at),
}

const keyColumns: ui.Columns<ApiKey> = {
  Name: ({ name, mode }) => html`${name} ${mode === 'test' && ui.badge('test', 'wait')}`,
  'Ends in': ({ ends_in }) => html`<code>…${ends_in}</code>`,
  Status: ({ status }) => ui.badge(status, status === 'active' ? 'good' : 'quiet'),
  Scopes: ({ scopes }) => scopes.join(', ') || 'read only',
  'Last used': ({ last_used }) => ui.when(last_used?.at),
}

const endpointColumns: ui.Columns<AccountDetail['endpoints'][number]> = {
  Endpoint: ({ id, url }) =>
    ui.rowLink(`${OPERATORS}/endpoints/${id}`, ui.breakable(shortUrl(url))),
  Status: endpointBadge,
  'Failing since': ({ failing_since }) => ui.when(failing_since),
}

const bookingColumns: ui.Columns<ListedBooking> = {
  Booking: ({ id }) => bookingRow(id),
  Venue: ({ venue_name }) => venue_name,
  'Slot, at the venue': ({ slot_time }) => localText(slot_time),
  Guests: ({ party_size }) => party_size,
  Status: ({ status }) => (status ? statusBadge(status) : ui.quiet('no booking')),
  Requested: ({ created_at }) => ui.when(created_at),
}

const requestColumns: ui.Columns<LoggedCall> = {
  When: ({ at }) => ui.when(at),
  Interface: ({ door }) => door,
  Operation: ({ operation }) => operation,
  Result: ({ code }) =>
    code === 'ok' ? ui.badge('ok', 'good') : ui.link(`/errors#${code}`, ui.badge(code, 'bad')),
  Duration: ({ ms }) => ui.figure(durationText(ms)),
  Request: ({ request_id }) =>
    ui.rowLink(
      `${OPERATORS}/requests/${request_id}`,
      html`<code>${request_id.slice(0, 13)}…</code>`,
    ),
}

const changeColumns: ui.Columns<AccountDetail['changes'][number]> = {
  When: ({ at }) => ui.when(at),
  Who: ({ actor_kind, actor_name, operator_email }) =>
    operator_email ? html`${operator_email} ${ui.quiet(actor_kind)}` : actor_name,
  Change: ({ action }) => auditActions[action as AuditAction] ?? action,
  What: ({ object_name, object_id }) => object_name ?? object_id?.slice(0, 13) ?? '–',
  Reason: ({ details }) => (typeof details.reason === 'string' ? details.reason : '–'),
  From: ({ address, door }) => html`${address && html`<code>${address}</code> `}${ui.quiet(door)}`,
}
