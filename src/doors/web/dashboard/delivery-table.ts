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

const columns = ['Event', 'Status', 'Last attempt', 'Endpoint', 'Next', 'Created']
const headOf = (isChoice: boolean) => (isChoice ? ['', ...columns] : columns)

/** Deliveries as a table, or with boxes to choose some. The live tail finds rows by `data-id`. */
export const deliveryTable = (
  deliveries: readonly Delivery[],
  urls: EndpointUrls,
  isChoice = false,
): Html => html`
${ui.tableOf(
  headOf(isChoice),
  deliveries.map((delivery) => deliveryRow(delivery, urls, isChoice)),
  'Deliveries',
)}
${deliveries.length === 0 && html`<p class="quiet" data-none>No deliveries yet.</p>`}`

export function deliveryRow(delivery: Delivery, urls: EndpointUrls, isChoice: boolean): Html {
  const { id, event, endpoint_id, next, last_attempt, attempt_count } = delivery
  const url = urls.get(endpoint_id)
  const cells = [
    html`${ui.rowLink(`/dashboard/deliveries/${id}`, event.type)} ${ui.quiet(event.number)}`,
    deliveryBadge(delivery),
    `${last_attempt ? attemptWords(last_attempt) : 'none'}${
      attempt_count > 1 ? `, ${attempt_count} attempts` : ''
    }`,
    url ? ui.link(`/dashboard/webhooks/${endpoint_id}`, shortUrl(url)) : ui.quiet('deleted'),
    next === null ? '' : next.at === null ? next.rule : ui.when(next.at),
    ui.when(delivery.created_at),
  ]
  return ui.tableRow(
    headOf(isChoice),
    isChoice ? [choiceBox(delivery), ...cells] : cells,
    html` data-id="${id}"`,
  )
}

const choiceBox = ({ id, event }: Delivery) => html`
<input type="checkbox" name="deliveries" value="${id}"
aria-label="Choose ${event.type} ${event.number}">`
