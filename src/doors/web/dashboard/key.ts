import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { revokeKey, updateKey } from '../../../accounts/operations/change-key.ts'
import { getKey } from '../../../accounts/operations/read-keys.ts'
import { rollKey } from '../../../accounts/operations/roll-key.ts'
import { html } from '../html.ts'
import { actionForm } from './controls.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice } from './forms.ts'
import { keyView } from './key-view.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, idOf } from './query.ts'
import { rawKeyView } from './raw-key-view.ts'

const PATH = '/dashboard/keys/:id'
const section = 'keys'

const done = {
  renamed: 'The key has its new name.',
  revoked: 'The key is revoked: every request with it is refused.',
}

/** One key: what it may do, when it was used, and the forms that rename, roll and revoke it. */
export async function key(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { key } = await call(request, getKey, { id: idOf(request) })
    const view = { title: key.name, section, body: keyView(key) } as const
    const holds = { revoked: key.status === 'revoked' }
    return sendPage(
      reply,
      dashboardPage(request, { ...view, notice: doneNotice(request, done, holds) }),
    )
  })

  scope.post(`${PATH}/rename`, async (request, reply) => {
    const { name = '' } = given(request.body, ['name'])
    await call(request, updateKey, { id: idOf(request), name })
    return back(request, reply, 'renamed')
  })

  scope.post(`${PATH}/roll`, async (request, reply) => {
    const { form, overlap } = given(request.body, ['form', 'overlap'])
    const { key, raw_key } = await call(request, rollKey, {
      id: idOf(request),
      ...(overlap && { overlap_hours: Number(overlap) }),
      ...(form && { idempotency_key: form }),
    })
    const body = rawKeyView(key, raw_key, 'rolled')
    return sendPage(reply, dashboardPage(request, { title: 'Key rolled', section, body }))
  })

  scope.get(`${PATH}/revoke`, async (request, reply) => {
    const { key } = await call(request, getKey, { id: idOf(request) })
    const body = html`
<p>Every request with <strong>${key.name}</strong> (ends in <code>…${key.ends_in}</code>) is refused from that moment on. It cannot be undone. To replace a key without a gap, roll it instead.</p>
${actionForm(`/dashboard/keys/${key.id}/revoke`, 'Revoke the key', { tone: 'danger' })}
<p><a href="/dashboard/keys/${key.id}">Keep it</a></p>`
    return sendPage(reply, dashboardPage(request, { title: 'Revoke this key?', section, body }))
  })

  scope.post(`${PATH}/revoke`, async (request, reply) => {
    await call(request, revokeKey, { id: idOf(request) })
    return back(request, reply, 'revoked')
  })
}

const back = (request: FastifyRequest, reply: FastifyReply, word: keyof typeof done) =>
  reply.redirect(`/dashboard/keys/${encodeURIComponent(idOf(request))}?done=${word}`, 303)
