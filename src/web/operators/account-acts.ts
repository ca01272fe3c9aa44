import type { AccountDetail } from '../../operators/operations/read-accounts.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { OPERATORS, reasonField } from './operators-page.ts'

/** The text after a count that has this limit; null means no limit. */
export const ofLimit = (limit: number | null): string =>
  limit === null ? ', no limit' : ` of ${ui.grouped(limit)}`

/** The forms to change an account. Each requires a reason for the audit log. */
export function actsView({ account, limits, usage }: AccountDetail, isOwn: boolean): Html {
  const { id, tier, requests_per_day, suspended_at } = account
  const path = `${OPERATORS}/accounts/${id}`
  const other = tier === 'pro' ? 'free' : 'pro'
  const open = (title: string, form: Html) =>
    html`<details class="act"><summary>${title}</summary>${form}</details>`
  const number = (value: number | null) => (value === null ? 'none' : String(value))
  const { live, perVenueDay } = limits.limits
  return html`<h2>Change</h2><div class="acts">
${open(
  `Move to ${other}`,
  ui.stackForm(`${path}/plan`, `Move to ${other}`, [
    html`<p>${
      other === 'pro'
        ? 'It is invoiced for this month now, unless it already was.'
        : 'Its keys can no longer book. Bookings stay as they are.'
    }</p>`,
    ui.hidden('tier', other),
    reasonField(),
  ]),
)}
${open(
  'Set booking limits',
  ui.stackForm(`${path}/limits`, 'Set limits', [
    html`<p>${
      limits.isOwn
        ? 'Set by an operator. Leave both empty to give the account the usual limits again.'
        : 'These are the usual limits, which grow with completed bookings.'
    }</p>`,
    ui.field(
      'Live bookings, holds and watches',
      { name: 'live', value: number(live), maxlength: 9 },
      'A number, or “none” for no limit.',
    ),
    ui.field(
      'Of these at one venue and day',
      { name: 'per_venue_day', value: number(perVenueDay), maxlength: 9 },
      'A number, or “none” for no limit.',
    ),
    reasonField(),
  ]),
)}
${open(
  'Set daily quota',
  ui.stackForm(`${path}/quota`, 'Set quota', [
    ui.field(
      'Requests per day (UTC)',
      { name: 'per_day', value: requests_per_day?.toString(), maxlength: 9 },
      `Now ${ui.grouped(usage.limit)}. Leave it empty for the quota of the plan.`,
    ),
    reasonField(),
  ]),
)}
${open(
  'Take down an agent',
  ui.stackForm(`${path}/agent`, 'Save', [
    html`<p>It leaves the public list and stays private until it is restored.</p>`,
    ui.field('Name of the agent', { name: 'agent', required: true, maxlength: 100 }),
    ui.checkbox('Restore it: the account may publish it again', 'restore', 'yes', false),
    reasonField(),
  ]),
)}
${
  suspended_at
    ? open('Resume', ui.stackForm(`${path}/resume`, 'Resume the account', [reasonField()]))
    : !isOwn && html`<p><a href="${path}/suspend">Suspend…</a></p>`
}</div>`
}

/** What a suspension does, and the form for it. */
export const suspendView = (id: string): Html => html`
<ul class="plain">
<li>Every key of the account is refused with
<a href="/errors#account_suspended"><code>account_suspended</code></a>, at every interface.</li>
<li>Its dashboard is read-only and shows the reason.</li>
<li>Its bookings continue, guests and venues get their messages, and its events are delivered. Its
waitlist entries get no offers.</li>
</ul>
${ui.stackForm(
  `${OPERATORS}/accounts/${id}/suspend`,
  'Suspend the account',
  [reasonField('The account sees it on every page and in every refusal.')],
  'danger',
)}
<p>${ui.link(`${OPERATORS}/accounts/${id}`, 'Cancel')}</p>`
