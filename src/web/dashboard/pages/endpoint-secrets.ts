import { activateSecret } from '../../../webhooks/operations/activate-secret.ts'
import { getEndpoint } from '../../../webhooks/operations/read-endpoints.ts'
import { revokeSecrets } from '../../../webhooks/operations/revoke-secrets.ts'
import { rotateSecret } from '../../../webhooks/operations/rotate-secret.ts'
import { actionForm, confirmForm, copyable, link } from '../../page/components.ts'
import { paramsOf, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { askFirst, type Page, redirectDone, showPage } from '../page.ts'

const PATH = '/dashboard/webhooks/:id'

/** Changes to an endpoint's signing secret. A new secret is shown only in response to the form. */
export const endpointSecrets: Page = async (scope, { call }) => {
  scope.post(`${PATH}/rotate`, async (request, reply) => {
    const { id } = paramsOf(request)
    const { staged, overlap } = textFields(request.body, ['staged', 'overlap'])
    const subject = () => call(request, getEndpoint, { id })
    const isEnd = staged !== 'on' && overlap === '0'
    if (isEnd && (await askFirst(reply, endsNow(id), subject))) return reply
    const { secret } = await call(request, rotateSecret, {
      id,
      staged: staged === 'on',
      overlap_hours: overlap && Number(overlap),
    })
    const how = staged === 'on' ? 'staged' : 'rotated'
    return showPage(reply, 'New secret', secretView(id, secret, how))
  })

  scope.post(`${PATH}/activate`, async (request, reply) => {
    const { id } = paramsOf(request)
    const { key, force, overlap } = textFields(request.body, ['key', 'force', 'overlap'])
    const subject = () => call(request, getEndpoint, { id })
    if (overlap === '0' && (await askFirst(reply, endsNow(id), subject))) return reply
    await call(request, activateSecret, {
      id,
      force: force === 'on',
      key_id: key,
      overlap_hours: overlap && Number(overlap),
    })
    return redirectDone(reply, `/dashboard/webhooks/${id}`, 'activated')
  })

  scope.get(`${PATH}/revoke`, async (request, reply) => {
    const { endpoint } = await call(request, getEndpoint, paramsOf(request))
    const path = `/dashboard/webhooks/${endpoint.id}`
    const body = html`
<p>For a secret that leaked. All secrets of <code>${endpoint.url}</code> are erased at once,
including a staged one, and only a new one signs. Your receiver refuses deliveries until it has
the new one. Refused deliveries are retried.</p>
${confirmForm(`${path}/revoke`, 'Revoke all secrets', [path, 'Keep the secrets'])}`
    return showPage(reply, 'Revoke all secrets?', body)
  })

  scope.post(`${PATH}/revoke`, async (request, reply) => {
    const { id } = paramsOf(request)
    const { secret } = await call(request, revokeSecrets, { id })
    return showPage(reply, 'New secret', secretView(id, secret, 'revoked'))
  })
}

const endsNow = (id: string) =>
  ({
    title: 'End the old secret now?',
    text:
      'Without an overlap a receiver that does not have the new secret yet refuses every ' +
      'delivery. The old secret cannot be restored.',
    button: 'End the old secret',
    back: [`/dashboard/webhooks/${id}`, 'Keep the old secret'],
  }) as const

const next = {
  created: 'Add it to your receiver, then verify the URL: the receiver must sign a challenge.',
  rotated:
    'It signs from now on. During the overlap the old one signs too, so a receiver with either ' +
    'secret verifies.',
  staged:
    'It signs test events only. Add it to your receiver next to the old one, then activate it.',
  revoked:
    'All other secrets are erased. Deliveries fail and are retried until your receiver has it.',
} as const

/** Shows a new secret once. It is undefined if the form has already been submitted. */
export function secretView(id: string, secret: string | undefined, how: keyof typeof next): Html {
  const path = `/dashboard/webhooks/${id}`
  return html`
${
  secret === undefined
    ? html`<p role="alert">This form was already submitted and the secret was shown then.
Lost it? Rotate.</p>`
    : html`<p>Your signing secret. You won’t see it again:</p>
<p>${copyable(secret)}</p><p>${next[how]}</p>`
}
${how === 'created' && actionForm(`${path}/verify`, 'Verify URL', { tone: 'main' })}
<p>${link(path, 'Go to the endpoint')} · ${link('/docs/webhooks', 'How to verify signatures')}</p>`
}
