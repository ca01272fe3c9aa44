import type { FastifyInstance } from 'fastify'
import { createKey } from '../../../../accounts/operations/create-key.ts'
import { listKeys } from '../../../../accounts/operations/read-keys.ts'
import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import { defaultScopes, type Scope, scopes } from '../../../../contract/rules/scopes.ts'
import { badge } from '../../components/badge.ts'
import { checkbox, field, formId } from '../../components/form.ts'
import { empty, pager } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { tryForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given, ticked } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { rawKeyView } from './raw-key-view.ts'

const PATH = '/dashboard/keys'
const section = 'keys'

/** `/dashboard/keys`: the keys of the account, and a form for one more. The raw key is in the answer to that form, and nowhere else. */
export async function keys(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const page = await call(request, listKeys, given(request.query, ['cursor']))
    const view = { title: 'Keys', section, body: keysView(page) } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(PATH, async (request, reply) => {
    const { name = '', until, form } = given(request.body, ['name', 'until', 'form'])
    const scopes = ticked(request.body, 'scopes')
    const made = call(request, createKey, {
      name,
      scopes,
      ...(until && { expires_at: `${until}T00:00:00Z` }),
      ...(form && { idempotency_key: form }),
    })
    const { done, refused } = await tryForm(made, { expires_at: 'valid until' }, ['key_limit'])
    if (refused) {
      const page = await call(request, listKeys, {})
      const body = keysView(page, { name, until, scopes, refused: refused.words })
      const view = { title: 'Keys', section, body } as const
      return sendPage(reply.code(refused.status), dashboardPage(request, view))
    }
    const { key, raw_key } = done
    const body = rawKeyView(key, raw_key, 'made')
    return sendPage(reply, dashboardPage(request, { title: 'Key made', section, body }))
  })
}

/** What each scope lets a key do, for those who choose. */
export const scopeWords: Record<Scope, string> = {
  keys: 'create, roll and revoke keys, change the plan',
  webhooks: 'endpoints, deliveries and replays',
  agents: 'register agents',
  usage: 'read usage, fees and requests',
}

const tones = { active: 'good', rolled: 'wait', expired: 'quiet', revoked: 'quiet' } as const

/** Where a key stands, as a coloured word. */
export const keyBadge = ({ status }: ApiKey): Html => badge(status, tones[status])

/** When and through which door a key was last used. */
export const lastUse = ({ last_used }: ApiKey): Html =>
  last_used
    ? html`${when(last_used.at)} <span class="quiet">${last_used.door}</span>`
    : html`<span class="quiet">never</span>`

/** A form that was refused, and why. */
type TriedKey = {
  name: string
  until: string | undefined
  scopes: readonly string[]
  refused: string
}

/** A page of keys, and the form for one more, as it was refused where it was. */
const keysView = (
  page: { keys: readonly ApiKey[]; next_cursor: string | null },
  tried?: TriedKey,
): Html => html`
<p>Every key can search and book within your plan. Scopes add more. Keys are shown once, when you create them; we store only a hash.</p>
${page.keys.length === 0 ? empty('No keys yet', 'Agents and programs send a key with every request. Create one below.') : table(['Name', 'Ends in', 'Status', 'Scopes', 'Valid until', 'Last used', 'Created'], page.keys.map(row), 'Keys')}
${pager(page.next_cursor, (cursor) => address(PATH, { cursor }))}
<h2>Create a key</h2>
<form class="stack" method="post" action="${PATH}">${formId()}
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
${newKeyFields(tried)}
<button class="main">Create key</button>
</form>`

const row = (key: ApiKey) => [
  html`<a href="${PATH}/${key.id}">${key.name}</a>`,
  html`<code>…${key.ends_in}</code>`,
  keyBadge(key),
  key.scopes.join(', ') || 'none',
  key.expires_at ? when(key.expires_at) : html`<span class="quiet">no expiry</span>`,
  lastUse(key),
  when(key.created_at),
]

const newKeyFields = ({
  name = '',
  until = '',
  scopes: chosen = defaultScopes,
}: Partial<TriedKey> = {}) => html`
${field('Name', { name: 'name', value: name, required: true, maxlength: 100, autocomplete: 'off' }, 'Where you use it, so that you can tell your keys apart.')}
${field('Valid until', { name: 'until', type: 'date', value: until }, 'Expires at the start of that day (UTC). Leave empty for no expiry.')}
<fieldset><legend>Scopes</legend>
${scopes.map((scope) => html`<div>${checkbox(`${scope}: ${scopeWords[scope]}`, 'scopes', scope, chosen.includes(scope))}</div>`)}
</fieldset>`
