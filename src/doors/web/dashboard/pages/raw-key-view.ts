import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import { copyable } from '../../components/code.ts'
import { type Html, html } from '../../html.ts'

const next = {
  made: html`Send it as <code>Authorization: Bearer …</code> with every request.`,
  rolled: html`Replace the old one with it. The old one expires after the overlap.`,
} as const

/** A raw key, this once; what to say when the form was sent twice. */
export const rawKeyView = (
  key: ApiKey,
  raw: string | undefined,
  how: keyof typeof next,
): Html => html`
${
  raw === undefined
    ? html`<p role="alert">This form was already submitted and the key was shown then. Lost it? Roll or revoke it.</p>`
    : html`<p>Your key <strong>${key.name}</strong>. You won’t see it again:</p><p class="secret">${copyable(raw)}</p><p>${next[how]}</p>`
}
<p><a href="/dashboard/keys/${key.id}">Go to the key</a> · <a href="/dashboard/keys">All keys</a></p>`
