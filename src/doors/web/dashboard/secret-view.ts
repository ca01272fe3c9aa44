import { type Html, html } from '../html.ts'
import { copyable } from '../parts.ts'
import { actionForm } from './controls.ts'

const next = {
  made: 'Give it to your receiver. Then have the address prove itself: it is sent a challenge to repeat.',
  rotated:
    'It signs from now on, and the one before signs beside it for the overlap: a receiver that has either verifies.',
  staged:
    'It signs nothing but tests yet. Give it to your receiver beside the old one, then activate it.',
  revoked:
    'All other secrets are erased. Your receiver refuses deliveries until it has this one; they are tried again.',
} as const

/** A signing secret, this once; what to say when a form was sent twice. */
export const secretView = (
  endpointId: string,
  secret: string | undefined,
  how: keyof typeof next,
): Html => html`
${
  secret === undefined
    ? html`<p role="alert">This form was sent before, and its secret was shown then. It is not shown again: where it was lost, rotate.</p>`
    : html`<p>The signing secret, shown this once:</p><p class="secret">${copyable(secret)}</p><p>${next[how]}</p>`
}
${how === 'made' ? actionForm(`/dashboard/webhooks/${endpointId}/verify`, 'Verify the address') : ''}
<p><a href="/dashboard/webhooks/${endpointId}">To the endpoint</a> · <a href="/docs/webhooks">How to verify signatures</a></p>`
