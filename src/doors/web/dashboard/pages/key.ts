import { revokeKey, updateKey } from '../../../../accounts/operations/change-key.ts'
import { getKey } from '../../../../accounts/operations/read-keys.ts'
import { rollKey } from '../../../../accounts/operations/roll-key.ts'
import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import * as ui from '../../components.ts'
import { doneNotice, paramsOf, textFields } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { type Page, redirectDone, showPage } from '../page-kit.ts'
import { expiry, keyBadge, lastUse, nameField, rawKeyView, scopeWords } from './keys.ts'

const PATH = '/dashboard/keys/:id'

const done = {
  renamed: 'Key renamed.',
  revoked: 'Key revoked. Requests with it are refused.',
}

/** One key: its scopes and last use, and the forms that rename, roll and revoke it. */
export const key: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { key } = await call(request, getKey, paramsOf(request))
    const notice = doneNotice(request, done, { revoked: key.status === 'revoked' })
    return showPage(reply, key.name, keyView(key), { notice })
  })

  scope.post(`${PATH}/rename`, async (request, reply) => {
    const { name = '' } = textFields(request.body, ['name'])
    const { key } = await call(request, updateKey, { ...paramsOf(request), name })
    return redirectDone(reply, `/dashboard/keys/${key.id}`, 'renamed')
  })

  scope.post(`${PATH}/roll`, async (request, reply) => {
    const { overlap } = textFields(request.body, ['overlap'])
    const { key, raw_key } = await call(request, rollKey, {
      ...paramsOf(request),
      overlap_hours: overlap && Number(overlap),
    })
    return showPage(reply, 'Key rolled', rawKeyView(key, raw_key, 'rolled'))
  })

  scope.get(`${PATH}/revoke`, async (request, reply) => {
    const { key } = await call(request, getKey, paramsOf(request))
    const path = `/dashboard/keys/${key.id}`
    const body = html`
<p>Every request with <strong>${key.name}</strong> (ends in <code>…${key.ends_in}</code>) will be
refused at once. This cannot be undone. To replace a key without a gap, roll it instead.</p>
${ui.actionForm(`${path}/revoke`, 'Revoke key', { tone: 'danger' })}
<p>${ui.link(path, 'Keep the key')}</p>`
    return showPage(reply, 'Revoke this key?', body)
  })

  scope.post(`${PATH}/revoke`, async (request, reply) => {
    const { key } = await call(request, revokeKey, paramsOf(request))
    return redirectDone(reply, `/dashboard/keys/${key.id}`, 'revoked')
  })
}

const overlaps = {
  '24': '1 day',
  '0': 'no overlap: it ends now',
  '1': '1 hour',
  '72': '3 days',
  '168': '7 days',
}

function keyView(key: ApiKey): Html {
  const { id, name, status, scopes, replaced_by } = key
  const path = `/dashboard/keys/${id}`
  const overlap = ui.choice('The old key stays valid for', 'overlap', overlaps, '24')
  return html`
<p>${keyBadge(key)}</p>
${ui.facts([
  ['Id', ui.copyable(id)],
  ['Ends in', html`<code>…${key.ends_in}</code>`],
  [
    'Scopes',
    scopes.length === 0
      ? 'none: search and book only'
      : html`<ul>${scopes.map((scope) => html`<li>${scope}: ${scopeWords[scope]}</li>`)}</ul>`,
  ],
  ['Valid until', expiry(key)],
  ['Last used', lastUse(key)],
  ['Created', ui.when(key.created_at)],
  ['Revoked', key.revoked_at && ui.when(key.revoked_at)],
  ['Replaced by', replaced_by && ui.link(`/dashboard/keys/${replaced_by}`, 'the new key')],
])}
<p>${ui.link(`/dashboard/requests?key=${id}`, 'Requests with this key')}</p>
<h2>Rename</h2>
${ui.stackForm(`${path}/rename`, 'Rename', [nameField(name)])}
${
  status === 'active' &&
  html`<h2>Roll</h2>
<p>Creates a new key with the same name and scopes. Both are valid during the overlap.</p>
${ui.stackForm(`${path}/roll`, 'Roll key', [ui.formId(), overlap])}`
}
${
  (status === 'active' || status === 'rolled') &&
  html`<h2>Revoke</h2><p>For a key that leaked or is no longer needed.
${ui.link(`${path}/revoke`, 'Revoke this key')}</p>`
}`
}
