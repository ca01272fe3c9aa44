import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { revokeKey, updateKey } from '../../../../accounts/operations/change-key.ts'
import { getKey } from '../../../../accounts/operations/read-keys.ts'
import { rollKey } from '../../../../accounts/operations/roll-key.ts'
import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import { copyable } from '../../components/code.ts'
import { actionForm, choice, field, formId } from '../../components/form.ts'
import { facts } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given, idOf } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { keyBadge, lastUse, scopeWords } from './keys.ts'
import { rawKeyView } from './raw-key-view.ts'

const PATH = '/dashboard/keys/:id'
const section = 'keys'

const done = {
  renamed: 'Key renamed.',
  revoked: 'Key revoked. Requests with it are refused.',
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
<p>Every request with <strong>${key.name}</strong> (ends in <code>…${key.ends_in}</code>) will be refused at once. This cannot be undone. To replace a key without a gap, roll it instead.</p>
${actionForm(`/dashboard/keys/${key.id}/revoke`, 'Revoke key', { tone: 'danger' })}
<p><a href="/dashboard/keys/${key.id}">Keep the key</a></p>`
    return sendPage(reply, dashboardPage(request, { title: 'Revoke this key?', section, body }))
  })

  scope.post(`${PATH}/revoke`, async (request, reply) => {
    await call(request, revokeKey, { id: idOf(request) })
    return back(request, reply, 'revoked')
  })
}

const back = (request: FastifyRequest, reply: FastifyReply, word: keyof typeof done) =>
  reply.redirect(`/dashboard/keys/${encodeURIComponent(idOf(request))}?done=${word}`, 303)

const overlaps = {
  '24': '1 day',
  '0': 'no overlap: it ends now',
  '1': '1 hour',
  '72': '3 days',
  '168': '7 days',
}

/** Everything that is known of one key, and what can still be done with it. */
function keyView(key: ApiKey): Html {
  const path = `/dashboard/keys/${key.id}`
  const isValid = key.status === 'active' || key.status === 'rolled'
  return html`
<p>${keyBadge(key)}</p>
${facts([
  ['Id', copyable(key.id)],
  ['Ends in', html`<code>…${key.ends_in}</code>`],
  ['Scopes', scopesOf(key)],
  ['Valid until', key.expires_at ? when(key.expires_at) : 'no expiry'],
  ['Last used', lastUse(key)],
  ['Created', when(key.created_at)],
  ['Revoked', key.revoked_at && when(key.revoked_at)],
  [
    'Replaced by',
    key.replaced_by && html`<a href="/dashboard/keys/${key.replaced_by}">the new key</a>`,
  ],
])}
<p><a href="/dashboard/requests?key=${key.id}">Requests with this key</a></p>
<h2>Rename</h2>
${form(`${path}/rename`, 'Rename', field('Name', { name: 'name', value: key.name, required: true, maxlength: 100, autocomplete: 'off' }))}
${
  key.status === 'active'
    ? html`<h2>Roll</h2>
<p>Creates a new key with the same name and scopes. Both are valid during the overlap.</p>
${form(`${path}/roll`, 'Roll key', choice('The old key stays valid for', 'overlap', overlaps, '24'))}`
    : ''
}
${isValid ? html`<h2>Revoke</h2><p>For a key that leaked or is no longer needed. <a href="${path}/revoke">Revoke this key</a></p>` : ''}`
}

const form = (action: string, button: string, more: Html): Html => html`
<form class="stack" method="post" action="${action}">${formId()}${more}<button>${button}</button></form>`

const scopesOf = ({ scopes }: ApiKey): Html =>
  scopes.length === 0
    ? html`none: search and book only`
    : html`<ul>${scopes.map((scope) => html`<li>${scope}: ${scopeWords[scope]}</li>`)}</ul>`
