import type { FastifyRequest } from 'fastify'
import { revokeKey, updateKey } from '../../../accounts/operations/change-key.ts'
import { createKey } from '../../../accounts/operations/create-key.ts'
import { getKey, listKeys } from '../../../accounts/operations/read-keys.ts'
import { rollKey } from '../../../accounts/operations/roll-key.ts'
import type { ApiKey } from '../../../accounts/schema/keys.ts'
import { may } from '../../../base/roles.ts'
import { defaultScopes, type Scope, scopes } from '../../../base/scopes.ts'
import * as ui from '../../page/components.ts'
import {
  checkedValues,
  doneNotice,
  type FieldErrors,
  paramsOf,
  textFields,
  tryForm,
  withQuery,
} from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { askFirst, type Page, redirectDone, showPage } from '../page.ts'
import { ipsField, ipsIn, nameField, overlaps, rollQuestion } from './key-fields.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/keys'
const rules = {
  labels: { expires_at: 'valid until', allowed_ips: 'allowed IP addresses' },
  codes: ['key_limit'],
} as const

const fields = ['name', 'mode', 'until', 'ips'] as const
const modes = {
  live: 'Live: real venues and guests',
  test: 'Test: your sandbox, where no venue or guest is contacted',
}

/** `/dashboard/keys`: the account's keys, and a form that creates one and shows it once. */
export const keys: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const page = await call(request, listKeys, textFields(request.query, ['cursor']))
    return showPage(reply, 'Keys', keysView(request, page, { scopes: defaultScopes }))
  })

  scope.post(PATH, async (request, reply) => {
    const { name = '', mode, until, ips } = textFields(request.body, fields)
    const scopes = checkedValues(request.body, 'scopes')
    const work = call(request, createKey, {
      name,
      mode,
      scopes,
      allowed_ips: ipsIn(ips),
      expires_at: until && `${until}T00:00:00Z`,
    })
    const { output, refused, errors } = await tryForm(reply, work, rules)
    if (output)
      return showPage(reply, 'Key created', rawKeyView(output.key, output.raw_key, 'created'))
    const page = await call(request, listKeys, {})
    return showPage(
      reply,
      'Keys',
      keysView(request, page, { name, mode, until, ips, scopes, refused, errors }),
    )
  })
}

/** What each scope permits. */
const scopeWords: Record<Scope, string> = {
  bookings: 'hold, book, change and cancel',
  keys: 'create, roll and revoke keys, change the plan',
  webhooks: 'endpoints, deliveries and replays',
  agents: 'register agents',
  usage: 'read usage, fees and requests',
}

const tones = { active: 'good', rolled: 'wait', expired: 'quiet', revoked: 'quiet' } as const

const keyBadge = ({ status }: ApiKey): Html => ui.badge(status, tones[status])

/** Marks a sandbox key. */
const testBadge = ({ mode }: ApiKey): Html => html`${mode === 'test' && ui.badge('test', 'wait')}`

const lastUse = ({ last_used }: ApiKey): Html =>
  last_used ? html`${ui.when(last_used.at)} ${ui.quiet(last_used.door)}` : ui.quiet('never')

/** When the key stops working. A revoked key already has, whatever its expiry. */
function expiry({ status, expires_at, revoked_at }: ApiKey): Html {
  if (status === 'revoked') return html`${ui.quiet('revoked')} ${ui.when(revoked_at)}`
  return expires_at ? ui.when(expires_at) : ui.quiet('never')
}

/** The values of the form, and why it was refused. */
type KeyForm = {
  name?: string
  mode?: string | undefined
  until?: string | undefined
  ips?: string | undefined
  scopes: readonly string[]
  refused?: string
  errors?: FieldErrors
}

const columns: ui.Columns<ApiKey> = {
  Name: (key) =>
    html`${ui.rowLink(`${PATH}/${key.id}`, key.name)} ${testBadge(key)}${
      key.status === 'rolled' && html`<br>${ui.quiet('replaced by a new key')}`
    }${key.made_by && html`<br>${ui.quiet('made by a key')}`}`,
  'Ends in': ({ ends_in }) => html`<code>…${ends_in}</code>`,
  Status: keyBadge,
  Scopes: ({ scopes }) => scopes.join(', ') || 'none',
  Expires: expiry,
  'Last used': lastUse,
  Created: ({ created_at }) => ui.when(created_at),
}

const none = ui.empty(
  'No keys yet',
  'Agents and programs send a key with every request. Create one below.',
)

/** The scopes that the developer's role can give a key: `keys` also changes the plan. */
const scopesFor = ({ developer }: FastifyRequest) =>
  developer && !may(developer.role, 'change', 'plan') ? defaultScopes : scopes

function keysView(
  request: FastifyRequest,
  page: { keys: readonly ApiKey[]; next_cursor: string | null },
  { name, mode, until, ips, scopes: selection, refused, errors = {} }: KeyForm,
): Html {
  return html`
<p>Every key can search and read. Scopes add more, within your plan.
Keys are shown once, when you create them; we store only a hash.</p>
${ui.listTable('Keys', page.keys, columns, none)}
${ui.pager(page.next_cursor, (cursor) => withQuery(PATH, { cursor }))}
<h2>Create a key</h2>
${ui.stackForm(
  PATH,
  'Create key',
  [
    ui.formId(),
    ui.alert(refused),
    nameField(name, 'Where you use the key.', errors.name),
    ui.choice('Mode', 'mode', modes, mode ?? 'live'),
    ui.field(
      'Valid until',
      { name: 'until', type: 'date', value: until, error: errors.expires_at },
      'Expires at the start of that day (UTC). Leave empty for no expiry.',
    ),
    ipsField(ips, errors.allowed_ips),
    html`<fieldset><legend>Scopes</legend>
${ui.note('A key without scopes can only search and read.')}${scopesFor(request).map((one) => {
  const label = `${one}: ${scopeWords[one]}`
  return html`<div>${ui.checkbox(label, 'scopes', one, selection.includes(one))}</div>`
})}</fieldset>`,
  ],
  'main',
)}`
}

const next = {
  created: html`Send it as <code>Authorization: Bearer …</code> with every request.`,
  rolled: html`Replace the old key with it.`,
  replaced: html`The old key no longer works.`,
} as const

/** Shows a new key once. `raw` is undefined if the form has already been submitted. */
const rawKeyView = (
  { id, name }: ApiKey,
  raw: string | undefined,
  how: keyof typeof next,
  oldExpiresAt: string | null = null,
): Html => html`
${
  raw === undefined
    ? html`<p role="alert">This form was already submitted and the key was shown then.
Lost it? Roll or revoke it.</p>`
    : html`<p>Your key <strong>${name}</strong>. You won’t see it again:</p>
<p class="secret">${ui.copyable(raw)}</p><p>${next[how]}
${
  how === 'rolled' &&
  oldExpiresAt &&
  html`Both work until the old key expires ${ui.when(oldExpiresAt)}.`
}</p>`
}
<p>${ui.link(`${PATH}/${id}`, 'Go to the key')} · ${ui.link(PATH, 'All keys')}</p>`

/** One key: its scopes and last use, and the forms to rename, roll and revoke it. */
export const key: Page = async (scope, { call }) => {
  scope.get(`${PATH}/:id`, async (request, reply) => {
    const { key } = await call(request, getKey, paramsOf(request))
    const isRevoked = key.status === 'revoked'
    const notice = doneNotice(request, notices.keys, { revoked: isRevoked, made: isRevoked })
    const crumbs = [['Keys', PATH]] as const
    return showPage(reply, key.name, keyView(key, request.ip), { notice, crumbs })
  })

  scope.post(`${PATH}/:id/rename`, async (request, reply) => {
    const { name = '' } = textFields(request.body, ['name'])
    const { key } = await call(request, updateKey, { ...paramsOf(request), name })
    return redirectDone(reply, `${PATH}/${key.id}`, 'renamed')
  })

  scope.post(`${PATH}/:id/addresses`, async (request, reply) => {
    const { ips } = textFields(request.body, ['ips'])
    const change = { ...paramsOf(request), allowed_ips: ipsIn(ips) }
    const { output, refused } = await tryForm(reply, call(request, updateKey, change), rules)
    if (output) return redirectDone(reply, `${PATH}/${output.key.id}`, 'restricted')
    const { key } = await call(request, getKey, paramsOf(request))
    return showPage(reply, key.name, keyView(key, request.ip, { ips, refused }))
  })

  scope.post(`${PATH}/:id/roll`, async (request, reply) => {
    const { overlap } = textFields(request.body, ['overlap'])
    const path = `${PATH}/${paramsOf(request).id}`
    const question = { ...rollQuestion, back: [path, 'Keep the key'] } as const
    const subject = () => call(request, getKey, paramsOf(request))
    if (overlap === '0' && (await askFirst(reply, question, subject))) return reply
    const { key, raw_key, previous } = await call(request, rollKey, {
      ...paramsOf(request),
      overlap_hours: overlap && Number(overlap),
    })
    return showPage(
      reply,
      'Key rolled',
      rawKeyView(key, raw_key, overlap === '0' ? 'replaced' : 'rolled', previous.expires_at),
    )
  })

  scope.get(`${PATH}/:id/revoke`, async (request, reply) => {
    const { key } = await call(request, getKey, paramsOf(request))
    const path = `${PATH}/${key.id}`
    const { keys } = await call(request, listKeys, { limit: 100 })
    const direct = keys.filter((one) => one.made_by === key.id && one.status !== 'revoked')
    const body = html`
<p>Every request with <strong>${key.name}</strong> (ends in <code>…${key.ends_in}</code>) will be
refused at once. This cannot be undone. To replace a key without a gap, roll it instead.</p>
${
  direct.length > 0 &&
  html`<p>Keys made with it, directly or through other keys, are revoked too:</p>
<ul>${direct.map((one) => html`<li>${one.name} (ends in <code>…${one.ends_in}</code>)</li>`)}</ul>`
}
${ui.confirmForm(`${path}/revoke`, 'Revoke key', [path, 'Keep the key'])}`
    return showPage(reply, `Revoke ${key.name}?`, body)
  })

  scope.post(`${PATH}/:id/revoke`, async (request, reply) => {
    const { key, also_revoked } = await call(request, revokeKey, paramsOf(request))
    return redirectDone(reply, `${PATH}/${key.id}`, also_revoked.length > 0 ? 'made' : 'revoked')
  })
}

function keyView(
  key: ApiKey,
  ownIp: string,
  form: { ips?: string | undefined; refused?: string } = {},
): Html {
  const { id, name, status, scopes, allowed_ips, replaced_by, made_by } = key
  const path = `${PATH}/${id}`
  const overlap = ui.choice('The old key stays valid for', 'overlap', overlaps, '24')
  return html`
<p>${keyBadge(key)} ${testBadge(key)}</p>
${ui.facts([
  ['Id', ui.copyable(id)],
  ['Ends in', html`<code>…${key.ends_in}</code>`],
  [
    'Scopes',
    scopes.length === 0
      ? 'none: search and read only'
      : html`<ul>${scopes.map((scope) => html`<li>${scope}: ${scopeWords[scope]}</li>`)}</ul>`,
  ],
  ['Used from', allowed_ips.join(', ') || 'any address'],
  ['Expires', status === 'revoked' ? null : expiry(key)],
  ['Last used', lastUse(key)],
  ['Created', ui.when(key.created_at)],
  ['Made by', made_by && ui.link(`${PATH}/${made_by}`, 'another key')],
  ['Revoked', key.revoked_at && ui.when(key.revoked_at)],
  ['Replaced by', replaced_by && ui.link(`${PATH}/${replaced_by}`, 'the new key')],
])}
<p>${ui.link(`/dashboard/requests?key=${id}`, 'Requests with this key')}</p>
<h2>Allowed IP addresses</h2>
<p>Requests from elsewhere are refused. The dashboard is not affected. Your address is
<code>${ownIp}</code>.</p>
${ui.stackForm(`${path}/addresses`, 'Save addresses', [
  ui.alert(form.refused),
  ipsField(form.ips ?? allowed_ips.join(', ')),
])}
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
