import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import type { LoggedCall } from '../../../../accounts/schema/usage.ts'
import { type AuditAction, auditActions } from '../../../../contract/rules/audit-actions.ts'
import type { AccountDetail } from '../../../../operators/operations/read-accounts.ts'
import type { AccountRow, ListedBooking, Member } from '../../../../operators/store/accounts.ts'
import { shortUrl } from '../../../../webhooks/rules/short-url.ts'
import { requestsPerDay } from '../../charts/requests-per-day.ts'
import * as ui from '../../components.ts'
import { type Html, html } from '../../html.ts'
import { endpointBadge, statusBadge } from '../status-badges.ts'
import { actsView, limitWord } from './account-acts.ts'
import { bookingLink, OPERATORS } from './kit.ts'

/** The state of an account in a word. */
export const stateBadge = ({ suspended_at, deleted_at }: AccountRow): Html =>
  deleted_at
    ? ui.badge('deleted', 'quiet')
    : suspended_at
      ? ui.badge('suspended', 'bad')
      : ui.badge('active', 'good')

/** Everything about an account but its guests and its secrets. `isOwn`: of the reader. */
export const accountView = (found: AccountDetail, isOwn: boolean): Html => html`
${factsView(found)}
${!found.account.deleted_at && actsView(found, isOwn)}
<h2>Use</h2>
<div class="charts">${requestsPerDay('calls', found.usage.days)}</div>
<h2>Members</h2>
${ui.listTable('Members', found.members, memberColumns, ui.note('Nobody can sign in.'))}
<h2>Keys</h2>
${ui.listTable('Keys', found.keys, keyColumns, ui.note('None.'))}
<h2>Endpoints</h2>
${ui.listTable('Endpoints', found.endpoints, endpointColumns, ui.note('None.'))}
<h2>Latest bookings</h2>
${ui.listTable('Latest bookings', found.bookings, bookingColumns, ui.note('None.'))}
<h2>Latest requests</h2>
${ui.listTable('Latest requests', found.requests, requestColumns, ui.note('None in 7 days.'))}
<h2>Latest changes</h2>
${ui.listTable('Latest changes', found.changes, changeColumns, ui.note('None.'))}`

function factsView({ account, usage, limits, month }: AccountDetail): Html {
  const { used, limit } = usage
  const { has } = limits
  const busiest = has.venue === null ? '' : ` (${has.venue}, ${has.day})`
  const made = Object.entries(month.made)
  return ui.facts([
    ['Account', ui.copyable(account.id)],
    ['State', stateBadge(account)],
    ['Suspended', account.suspended_at && ui.when(account.suspended_at)],
    ['Reason', account.suspended_reason],
    ['Plan', account.tier],
    ['Requests today', `${ui.grouped(used)} of ${ui.grouped(limit)}`],
    ['Live bookings', `${ui.grouped(has.live)} of ${limitWord(limits.limits.live)}`],
    ['At one venue and day', `${has.busiest}${busiest} of ${limitWord(limits.limits.perVenueDay)}`],
    ['Completed bookings', ui.grouped(has.completed)],
    [
      `Bookings made in ${month.month}`,
      made.map(([status, count]) => `${ui.grouped(count)} ${status}`).join(', ') || 'none',
    ],
    ['Money', ui.link(`${OPERATORS}/accounts/${account.id}/ledger`, 'Ledger and invoices')],
    ['Opened', ui.when(account.created_at)],
  ])
}

const memberColumns: ui.Columns<Member> = {
  Address: ({ email }) => email,
  Verified: ({ is_verified }) => (is_verified ? 'yes' : ui.badge('no', 'wait')),
  Role: ({ role, is_operator }) => html`${role} ${is_operator && ui.badge('operator', 'quiet')}`,
  Joined: ({ created_at }) => ui.when(created_at),
  'Last seen': ({ seen_at }) => ui.when(seen_at),
}

const keyColumns: ui.Columns<ApiKey> = {
  Name: ({ name }) => name,
  'Ends in': ({ ends_in }) => html`<code>…${ends_in}</code>`,
  Status: ({ status }) => ui.badge(status, status === 'active' ? 'good' : 'quiet'),
  Scopes: ({ scopes }) => scopes.join(', ') || 'read only',
  'Last used': ({ last_used }) => ui.when(last_used?.at),
}

const endpointColumns: ui.Columns<AccountDetail['endpoints'][number]> = {
  Endpoint: ({ id, url }) => ui.link(`${OPERATORS}/endpoints/${id}`, shortUrl(url)),
  Status: endpointBadge,
  'Failing since': ({ failing_since }) => ui.when(failing_since),
}

const bookingColumns: ui.Columns<ListedBooking> = {
  Booking: ({ id }) => bookingLink(id),
  Venue: ({ venue_name }) => venue_name,
  Slot: ({ slot_time }) => ui.minuteText(slot_time),
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
  ms: ({ ms }) => ms,
  Request: ({ request_id }) =>
    ui.link(`${OPERATORS}/requests/${request_id}`, html`<code>${request_id.slice(0, 13)}…</code>`),
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
