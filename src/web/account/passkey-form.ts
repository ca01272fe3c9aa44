import { z } from 'zod'
import { relyingPartyOf } from '../../accounts/rules/second-factors.ts'
import { assetPath } from '../page/assets.ts'
import { hidden } from '../page/components.ts'
import { withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'

/** What a passkey has signed, as JSON; the server verifies it. */
export const credential = z.string('Use the passkey again.').max(8_000, 'Use the passkey again.')

/** The page that asks who it is, and the form that a passkey signs in with. */
export const CONFIRM = '/sign-in/confirm'
export const PASSKEY = '/sign-in/passkey'

/** The address of the page that asks who it is, and then leads to `next`. */
export const confirmFirst = (next: string): string => withQuery(CONFIRM, { next })

/**
 * A button that uses a passkey or creates one, in browsers and at addresses that have passkeys. The
 * options come from `/options` below the form's address.
 */
export const passkeyForm = (
  publicUrl: string,
  button: string,
  { action, creates = false, more }: { action: string; creates?: boolean; more?: Html | undefined },
): Html =>
  html`${
    relyingPartyOf(publicUrl)
      ? html`<passkey-form hidden${creates && html` data-creates`}>
<form class="stack" method="post" action="${action}">${more}${hidden('credential', '')}
<button>${button}</button></form><p role="status"></p></passkey-form>
<script type="module" src="${assetPath('passkey-form.js')}"></script>
<noscript><p class="quiet">Passkeys need JavaScript.</p></noscript>`
      : creates &&
        html`<p class="quiet">There are no passkeys at this address: they need a
domain with HTTPS, or <code>localhost</code>.</p>`
  }`
