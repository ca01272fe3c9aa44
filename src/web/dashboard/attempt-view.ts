import type { Attempt } from '../../webhooks/schema/deliveries.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { attemptWords } from './delivery-table.ts'
import { statusBadge } from './status-badges.ts'

/** How much of a response body is shown, in characters. The API returns everything stored. */
const EXCERPT_CHARS = 2_000

/** One attempt with its request and response, expanded if it is the newest. */
export function attemptView(attempt: Attempt, isNewest: boolean): Html {
  const { number, status, failure, cause, next } = attempt
  return html`
<details class="card" id="attempt-${number}"${isNewest && html` open`}><summary>
${number}. ${statusBadge(status)}
${attemptWords({ ...attempt, failure: failure?.category ?? null })} ${ui.quiet(cause)}
${ui.when(attempt.started_at)}</summary>
${failure && html`<p>${failure.text}</p>`}
${next && html`<p>${next.rule} ${next.at && html`Next retry ${ui.when(next.at)}.`}</p>`}
<h3>Request</h3>
<p><code>POST ${attempt.request.url}</code></p>
${ui.codeBlock(headerLines(attempt.request.headers), `Headers of attempt ${number}`)}
<h3>Response</h3>
${responseView(attempt)}</details>`
}

function responseView({ number, status, response }: Attempt): Html {
  if (!response) {
    const why =
      status === 'sending' ? 'In flight.' : 'No response, or hidden until the endpoint is verified.'
    return html`<p class="quiet">${why}</p>`
  }
  const { headers, body, truncated } = response
  const text = body ?? ''
  return html`
${ui.codeBlock(headerLines(headers), `Response headers of attempt ${number}`)}
${
  text === ''
    ? ui.note('Empty body.')
    : ui.codeBlock(text.slice(0, EXCERPT_CHARS), `Response body of attempt ${number}`)
}
${
  (truncated || text.length > EXCERPT_CHARS) &&
  html`<p class="quiet">Cut off here. <code>GET /api/deliveries/{id}</code> returns the first
16 kB.</p>`
}`
}

/** Headers as text to copy, one `name: value` per line. */
const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : ui.jsonText(value)}`)
    .join('\n')
