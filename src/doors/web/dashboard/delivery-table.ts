import type { Delivery } from '../../../webhooks/schema/deliveries.ts'
import { when } from '../components/time.ts'
import { type Html, html } from '../html.ts'
import { deliveryBadge } from './status-badges.ts'

/** What came of a request: `HTTP 503 after 12 ms`, or why there was no answer. */
export function attemptWords(attempt: {
  http_status: number | null
  failure: string | null
  ms: number | null
}): string {
  const { http_status, failure, ms } = attempt
  const what = http_status === null ? (failure ?? 'no answer yet') : `HTTP ${http_status}`
  return ms === null ? what : `${what} after ${ms} ms`
}

/** The address of each endpoint by its id; one that is missing has been deleted. */
export type Addresses = ReadonlyMap<string, string>

const head = ['Created', 'Event', 'Endpoint', 'Status', 'Last attempt', 'Next']

/** Deliveries as a table whose rows the live tail can find again. */
export const deliveryTable = (deliveries: readonly Delivery[], addresses: Addresses): Html => html`
<div class="scroll" role="region" aria-label="Deliveries" tabindex="0"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${deliveries.map((delivery) => deliveryRow(delivery, addresses))}</tbody>
</table></div>
${deliveries.length === 0 ? html`<p class="quiet" data-none>No deliveries yet.</p>` : ''}`

/** One delivery in it. */
export const deliveryRow = (delivery: Delivery, addresses: Addresses): Html => html`
<tr data-id="${delivery.id}"><td><a href="/dashboard/deliveries/${delivery.id}">${when(delivery.created_at)}</a></td><td><code>${delivery.event.type}</code> <a href="/dashboard/events/${delivery.event.number}">${delivery.event.number}</a></td><td>${addressOf(delivery.endpoint_id, addresses)}</td><td>${deliveryBadge(delivery.status)}</td><td>${lastWords(delivery)}</td><td>${nextWords(delivery)}</td></tr>`

const addressOf = (id: string, addresses: Addresses): Html => {
  const url = addresses.get(id)
  return url === undefined
    ? html`<span class="quiet">deleted</span>`
    : html`<a href="/dashboard/webhooks/${id}">${shortAddress(url)}</a>`
}

/** Host and path of an address, without what may be a secret in its query. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}

const lastWords = ({ last_attempt, attempt_count }: Delivery): string =>
  last_attempt === null
    ? 'none'
    : `${attemptWords(last_attempt)}${attempt_count > 1 ? `, ${attempt_count} attempts` : ''}`

const nextWords = ({ next }: Delivery): Html | string => {
  if (next === null) return '–'
  return next.at === null ? next.rule : when(next.at)
}
