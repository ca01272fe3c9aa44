import type { LoggedCall } from '../../accounts/schema/usage.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'

/** What was called: `POST /api/bookings`, `POST /a2a/v1 booking.confirm`. */
export function callWords({ method, path, target, door, operation }: LoggedCall): string {
  if (method === null) return `${door} ${operation}`
  return [method, path, door === 'rest' ? null : target].filter(Boolean).join(' ')
}

/** The HTTP status of a call, or its result if none was recorded. */
export const callStatus = ({ status, code }: LoggedCall): Html =>
  ui.badge(`${status ?? (code === 'ok' ? 'ok' : 'refused')}`, code === 'ok' ? 'good' : 'bad')

/** The common names of the interfaces. */
export const doorNames: Record<string, string> = { rest: 'REST', a2a: 'A2A', mcp: 'MCP' }

/** Key names by id. */
export type KeyNames = ReadonlyMap<string, string>

/** A list of links to requests. On a phone, the status and code stay visible. */
export const callRows = (calls: readonly LoggedCall[], keyNames: KeyNames): Html => html`
<ol class="calls">${calls.map((call) => callRow(call, keyNames))}</ol>`

function callRow(call: LoggedCall, keyNames: KeyNames): Html {
  const { request_id, key_id, from, code, calls, ms, at } = call
  const key = key_id && keyNames.get(key_id)
  return html`
<li><a href="/dashboard/requests/${request_id}">
<span>${callStatus(call)}</span>
<code class="what">${callWords(call)}</code>
<span class="code">${code}${calls > 1 && ` × ${calls}`}</span>
<span class="who">${[key, from].filter(Boolean).join(' ')}</span>
<span class="ms">${durationText(ms)}</span>
${ui.when(at)}</a></li>`
}
