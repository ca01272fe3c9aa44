import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import type { Delivery } from '../../../webhooks/schema/deliveries.ts'
import * as ui from '../components.ts'
import { type Html, html } from '../html.ts'
import { durationText } from '../times.ts'
import { deliveryBadge } from './status-badges.ts'

type Outcome = { http_status: number | null; failure: string | null; ms: number | null }

/** The outcome of an attempt: `HTTP 503 after 12 ms`, or why there was no response. */
export function attemptWords({ http_status, failure, ms }: Outcome): string {
  const what = http_status === null ? (failure ?? 'no answer yet') : `HTTP ${http_status}`
  return ms === null ? what : `${what} after ${durationText(ms)}`
}

/** The URLs of endpoints by id. Deleted endpoints are missing. */
export type EndpointUrls = ReadonlyMap<string, string>

const head = ['Created', 'Event', 'Endpoint', 'Status', 'Last attempt', 'Next']

/** Deliveries as a table, or with boxes to choose some. The live tail finds rows by `data-id`. */
export const deliveryTable = (
  deliveries: readonly Delivery[],
  urls: EndpointUrls,
  isChoice = false,
): Html => html`
${ui.tableOf(
  isChoice ? ['', ...head] : head,
  deliveries.map((delivery) => deliveryRow(delivery, urls, isChoice)),
  'Deliveries',
)}
${deliveries.length === 0 && html`<p class="quiet" data-none>No deliveries yet.</p>`}`

export function deliveryRow(delivery: Delivery, urls: EndpointUrls, isChoice: boolean): Html {
  const { id, event, endpoint_id, next, last_attempt, attempt_count } = delivery
  const url = urls.get(endpoint_id)
  return html`
<tr data-id="${id}">${isChoice && choiceCell(delivery)}
<td>${ui.link(`/dashboard/deliveries/${id}`, ui.when(delivery.created_at))}</td>
<td><code>${event.type}</code> ${ui.link(`/dashboard/events/${event.number}`, event.number)}</td>
<td>${url ? ui.link(`/dashboard/webhooks/${endpoint_id}`, shortUrl(url)) : ui.quiet('deleted')}</td>
<td>${deliveryBadge(delivery)}</td>
<td>${last_attempt ? attemptWords(last_attempt) : 'none'}${
    attempt_count > 1 && `, ${attempt_count} attempts`
  }</td>
<td>${next === null ? '–' : next.at === null ? next.rule : ui.when(next.at)}</td>
</tr>`
}

const choiceCell = ({ id, event }: Delivery) => html`
<td class="choice"><input type="checkbox" name="deliveries" value="${id}"
aria-label="Choose ${event.type} ${event.number}"></td>`
