import type { FastifyInstance } from 'fastify'
import { activateSecret } from '../../../../webhooks/operations/activate-secret.ts'
import { getEndpoint } from '../../../../webhooks/operations/read-endpoints.ts'
import { revokeSecrets } from '../../../../webhooks/operations/revoke-secrets.ts'
import { rotateSecret } from '../../../../webhooks/operations/rotate-secret.ts'
import { copyable } from '../../components/code.ts'
import { actionForm } from '../../components/form.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given, idOf } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { backToEndpoint } from './endpoint-done.ts'

const PATH = '/dashboard/webhooks/:id'
const section = 'webhooks'

/** Changing the signing secret of an endpoint. A new one is in the answer to the form, and nowhere else. */
export async function endpointSecrets(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.post(`${PATH}/rotate`, async (request, reply) => {
    const id = idOf(request)
    const { form, staged, overlap } = given(request.body, ['form', 'staged', 'overlap'])
    const { secret } = await call(request, rotateSecret, {
      id,
      staged: staged === 'on',
      ...(overlap && { overlap_hours: Number(overlap) }),
      ...(form && { idempotency_key: form }),
    })
    const body = secretView(id, secret, staged === 'on' ? 'staged' : 'rotated')
    return sendPage(reply, dashboardPage(request, { title: 'New secret', section, body }))
  })

  scope.post(`${PATH}/activate`, async (request, reply) => {
    const { key, force, overlap } = given(request.body, ['key', 'force', 'overlap'])
    await call(request, activateSecret, {
      id: idOf(request),
      force: force === 'on',
      ...(key && { key_id: key }),
      ...(overlap && { overlap_hours: Number(overlap) }),
    })
    return backToEndpoint(request, reply, 'activated')
  })

  scope.get(`${PATH}/revoke`, async (request, reply) => {
    const { endpoint } = await call(request, getEndpoint, { id: idOf(request) })
    const body = html`
<p>For a secret that leaked. All secrets of <code>${endpoint.url}</code> are erased at once, a staged one too, and a new one signs alone. Your receiver refuses deliveries until it has the new one; they are tried again.</p>
${actionForm(`/dashboard/webhooks/${endpoint.id}/revoke`, 'Revoke all secrets', { tone: 'danger' })}
<p><a href="/dashboard/webhooks/${endpoint.id}">Keep them</a></p>`
    const view = { title: 'Revoke all secrets?', section, body } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(`${PATH}/revoke`, async (request, reply) => {
    const id = idOf(request)
    const { form } = given(request.body, ['form'])
    const asked = { id, ...(form && { idempotency_key: form }) }
    const { secret } = await call(request, revokeSecrets, asked)
    const body = secretView(id, secret, 'revoked')
    return sendPage(reply, dashboardPage(request, { title: 'New secret', section, body }))
  })
}

const next = {
  made: 'Add it to your receiver, then verify the address: the receiver has to echo a challenge.',
  rotated:
    'It signs from now on. During the overlap the old one signs too, so a receiver with either secret verifies.',
  staged:
    'It signs test events only. Add it to your receiver beside the old one, then activate it.',
  revoked:
    'All other secrets are erased. Deliveries fail and are retried until your receiver has this one.',
} as const

/** A signing secret, this once; what to say when a form was sent twice. */
export const secretView = (
  endpointId: string,
  secret: string | undefined,
  how: keyof typeof next,
): Html => html`
${
  secret === undefined
    ? html`<p role="alert">This form was already submitted and the secret was shown then. Lost it? Rotate.</p>`
    : html`<p>Your signing secret. You won’t see it again:</p><p>${copyable(secret)}</p><p>${next[how]}</p>`
}
${how === 'made' ? actionForm(`/dashboard/webhooks/${endpointId}/verify`, 'Verify the address') : ''}
<p><a href="/dashboard/webhooks/${endpointId}">Go to the endpoint</a> · <a href="/docs/webhooks">How to verify signatures</a></p>`
