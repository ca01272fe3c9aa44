import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import {
  type CheckedStep,
  checkSignature,
  parseHeaders,
  type SignatureCheck,
} from '../../../platform/http/signature-check.ts'
import { getDelivery, listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import * as ui from '../../page/components.ts'
import { textFields, utcInstant } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { headerLines } from '../attempt-view.ts'
import { type Page, type PageDeps, showPage } from '../page.ts'

const PATH = '/dashboard/webhooks/verify'
/** The size of the largest event if the form encoding escapes every character. */
const BODY_LIMIT_BYTES = 256 * 1024

/** The form as submitted or prefilled, without the secret. */
type Pasted = { headers?: string; body?: string; received?: string | undefined }

/**
 * `/dashboard/webhooks/verify`: checks a signature as a receiver does. Nothing entered here is
 * stored: no operation runs on it, and the response does not repeat the secret.
 */
export const verifySignature: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { delivery, attempt } = textFields(request.query, ['delivery', 'attempt'])
    const pasted = delivery ? await pastedFrom(request, call, { delivery, attempt }) : {}
    return showPage(reply, 'Check a signature', formView(pasted))
  })

  const options = { bodyLimit: BODY_LIMIT_BYTES, config: { isQuestion: true } } as const
  scope.post(PATH, options, async (request, reply) => {
    const names = ['headers', 'body', 'secret', 'received'] as const
    const { headers = '', body = '', secret = '', received } = textFields(request.body, names)
    const receivedAt = new Date(utcInstant(received) ?? Number.NaN)
    const at = Number.isNaN(receivedAt.getTime()) ? new Date() : receivedAt
    const sentBodies = await bodiesOf(request, call, parseHeaders(headers)['webhook-id'])
    // Browsers send each line feed in a field as CR LF.
    const typed = body.replaceAll('\r\n', '\n')
    const check = checkSignature({ headers, body: typed, secret, at, sentBodies })
    const view = html`${resultView(check)}${formView({ headers, body: typed, received })}`
    return showPage(reply, 'Check a signature', view)
  })
}

type Call = PageDeps['call']

/** A request as its receiver got it: the given attempt's, by default the newest one's. */
async function pastedFrom(
  request: FastifyRequest,
  call: Call,
  { delivery, attempt }: { delivery: string; attempt: string | undefined },
): Promise<Pasted> {
  const { attempts, body } = await call(request, getDelivery, { id: delivery })
  const [newest] = attempts
  const shown = attempts.find(({ number }) => String(number) === attempt) ?? newest
  if (!shown) return {}
  const { headers } = shown.request
  const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
  return {
    headers: headerLines(Object.fromEntries(signed)),
    body: body ?? '',
    received: shown.started_at.slice(0, 19),
  }
}

/** The bodies sent under this id to the account's endpoints; each has its own sequence number. */
async function bodiesOf(request: FastifyRequest, call: Call, id: string | undefined) {
  if (!z.uuid().safeParse(id).success) return []
  try {
    const { deliveries } = await call(request, listDeliveries, { event: id })
    const read = deliveries.map((one) => call(request, getDelivery, { id: one.id }))
    const bodies = (await Promise.all(read)).map(({ body }) => body)
    return bodies.filter((body) => body !== null)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const formView = ({ headers, body, received }: Pasted): Html => html`
<p>Paste what your receiver got. We verify it step by step, as
<a href="/docs/webhooks">Standard Webhooks</a> requires, and say which step fails. Nothing is
stored.</p>
${ui.stackForm(
  PATH,
  'Check',
  [
    ui.textArea('Headers', { name: 'headers', value: headers, rows: 4 }, headersHint),
    ui.textArea('Body', { name: 'body', value: body, rows: 8 }, 'Exactly the bytes that arrived.'),
    ui.field('Secret', secretInput, 'The one that your receiver uses. It is not kept.'),
    ui.field('Received at (UTC)', receivedInput(received), 'Leave empty to use the current time.'),
  ],
  'main',
)}`

const headersHint = html`One a line: <code>webhook-id</code>, <code>webhook-timestamp</code>,
<code>webhook-signature</code>. Others are ignored.`
const secretInput = {
  name: 'secret',
  required: true,
  autocomplete: 'off',
  maxlength: 200,
  placeholder: 'whsec_…',
}
const receivedInput = (value: string | undefined) =>
  ({ name: 'received', type: 'datetime-local', value }) as const

const names: Record<CheckedStep['step'], string> = {
  headers: 'Headers',
  timestamp: 'Timestamp',
  secret: 'Secret',
  format: 'Signature format',
  signature: 'Signature',
}
const tones = { passed: 'good', failed: 'bad', skipped: 'quiet' } as const

const columns: ui.Columns<CheckedStep> = {
  Step: ({ step }) => names[step],
  Outcome: ({ outcome }) => ui.badge(outcome, tones[outcome]),
  Details: ({ text }) => text,
}

function resultView({ steps, expected }: SignatureCheck): Html {
  const failed = steps.filter(({ outcome }) => outcome !== 'passed')
  return html`
<p class="notice${failed.length > 0 && ' bad'}" role="status">${
    failed.length === 0
      ? 'Valid. A receiver with this secret accepts the request.'
      : `Not valid. This fails: ${failed.map(({ step }) => names[step]).join(', ')}.`
  }</p>
${ui.listTable('Steps', steps, columns)}
${
  expected &&
  html`<p>With this secret, the signature of these headers and this body must be
${ui.copyable(expected)}</p>`
}
<h2>Check another</h2>`
}
