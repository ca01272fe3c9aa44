import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import { copyable } from '../../components/code.ts'
import { type Html, html } from '../../html.ts'

const next = {
  made: html`Send it as <code>Authorization: Bearer …</code> with every request.`,
  rolled: html`Put it in the place of the old one, which is valid for the overlap and then ends by itself.`,
} as const

/** A raw key, this once; what to say when the form was sent twice. */
export const rawKeyView = (
  key: ApiKey,
  raw: string | undefined,
  how: keyof typeof next,
): Html => html`
${
  raw === undefined
    ? html`<p role="alert">This form was sent before, and its key was shown then. It is not shown again: where it was lost, roll or revoke it.</p>`
    : html`<p>The key <strong>${key.name}</strong>, shown this once:</p><p class="secret">${copyable(raw)}</p><p>${next[how]}</p>`
}
<p><a href="/dashboard/keys/${key.id}">To the key</a> · <a href="/dashboard/keys">All keys</a></p>`
