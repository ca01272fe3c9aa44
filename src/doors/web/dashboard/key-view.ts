import type { ApiKey } from '../../../accounts/schema/keys.ts'
import { type Html, html } from '../html.ts'
import { choice, copyable, field, when } from '../parts.ts'
import { givenFacts } from './controls.ts'
import { formId } from './forms.ts'
import { keyBadge, lastUse, scopeWords } from './keys-view.ts'

const overlaps = {
  '24': 'a day',
  '0': 'not at all: it ends at once',
  '1': 'an hour',
  '72': 'three days',
  '168': 'a week',
}

/** Everything that is known of one key, and what can still be done with it. */
export function keyView(key: ApiKey): Html {
  const path = `/dashboard/keys/${key.id}`
  const isValid = key.status === 'active' || key.status === 'rolled'
  return html`
<p>${keyBadge(key)}</p>
${givenFacts([
  ['Id', copyable(key.id)],
  ['Ends in', html`<code>…${key.ends_in}</code>`],
  ['Scopes', scopesOf(key)],
  ['Valid until', key.expires_at ? when(key.expires_at) : 'no end'],
  ['Last used', lastUse(key)],
  ['Made', when(key.created_at)],
  ['Revoked', key.revoked_at && when(key.revoked_at)],
  [
    'Rolled to',
    key.replaced_by && html`<a href="/dashboard/keys/${key.replaced_by}">its successor</a>`,
  ],
])}
<p><a href="/dashboard/requests?key=${key.id}">Requests with this key</a></p>
<h2>Rename</h2>
${form(`${path}/rename`, 'Rename', field('Name', { name: 'name', value: key.name, required: true, maxlength: 100, autocomplete: 'off' }))}
${
  key.status === 'active'
    ? html`<h2>Roll</h2>
<p>A new key with the same name and scopes takes its place. Both are valid for the overlap.</p>
${form(`${path}/roll`, 'Roll the key', choice('The old key stays valid for', 'overlap', overlaps, '24'))}`
    : ''
}
${isValid ? html`<h2>Revoke</h2><p>For a key that leaked, or is no longer used. <a href="${path}/revoke">Revoke this key</a></p>` : ''}`
}

const form = (action: string, button: string, more: Html): Html => html`
<form class="stack" method="post" action="${action}">${formId()}${more}<button>${button}</button></form>`

const scopesOf = ({ scopes }: ApiKey): Html =>
  scopes.length === 0
    ? html`none: it may search and book`
    : html`<ul>${scopes.map((scope) => html`<li>${scope}: ${scopeWords[scope]}</li>`)}</ul>`
