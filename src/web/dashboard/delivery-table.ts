import type { FailureKind } from '../../base/http-failures.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import type { Delivery } from '../../webhooks/schema/deliveries.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'
import words from './failure-words.json' with { type: 'json' }
import { deliveryBadge } from './status-badges.ts'

const failureWords: Record<FailureKind, string> = words

type Outcome = { http_status: number | null; failure: string | null; ms: number | null }

/** The outcome of an attempt: `HTTP 503 after 12 ms`, or why it failed: `timed out …`. */
export function attemptWords({ http_status, failure, ms }: Outcome): string {
  const why = failure && (failureWords[failure as FailureKind] ?? 'our fault')
  const what = http_status === null ? (why ?? 'no answer yet') : `HTTP ${http_status}`
  return ms === null ? what : `${what} after ${durationText(ms)}`
}

/** Endpoint URLs by id. Deleted endpoints are missing. */
export type EndpointUrls = ReadonlyMap<string, string>

const columns = ['Event', 'Status', 'Last attempt', 'Endpoint', 'Created']
const headOf = (isChoice: boolean) => (isChoice ? ['', ...columns] : columns)

/** Deliveries as a table, optionally with checkboxes. */
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
${deliveries.length === 0 && html`<p class="quiet">No deliveries yet.</p>`}`

function deliveryRow(delivery: Delivery, urls: EndpointUrls, isChoice: boolean): Html {
  const { id, event, endpoint_id, next, last_attempt, attempt_count } = delivery
  const url = urls.get(endpoint_id)
  const cells = [
    html`${ui.rowLink(`/dashboard/deliveries/${id}`, event.type)} ${ui.quiet(event.number)}`,
    html`${deliveryBadge(delivery)}${next && nextView(next)}`,
    `${last_attempt ? attemptWords(last_attempt) : 'none'}${
      attempt_count > 1 ? `, ${attempt_count} attempts` : ''
    }`,
    url
      ? ui.link(`/dashboard/webhooks/${endpoint_id}`, ui.breakable(shortUrl(url)))
      : ui.quiet('deleted'),
    ui.when(delivery.created_at),
  ]
  return ui.tableRow(
    headOf(isChoice),
    isChoice ? [choiceBox(delivery), ...cells] : cells,
    html` data-id="${id}"`,
  )
}

const nextView = ({ at, rule }: NonNullable<Delivery['next']>): Html =>
  html`<span class="zone-name">${at === null ? rule : html`next attempt ${ui.when(at)}`}</span>`

const choiceBox = ({ id, event }: Delivery) => html`
<input type="checkbox" name="deliveries" value="${id}"
aria-label="Choose ${event.type} ${event.number}">`
