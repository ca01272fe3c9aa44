import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readReset, resetPassword } from '../../../accounts/operations/reset-password.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import { hidden, link, stackForm } from '../components.ts'
import { type Page, redirectDone } from '../dashboard/page-kit.ts'
import { parseForm, postForm, textFields } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { newPassword, newPasswordField, SIGNS_OUT, token as tokenField } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { replaceSession, visitOf } from './sessions.ts'

const PATH = '/reset-password'
const form = z.object({ token: tokenField, password: newPassword })
const tokenIn = (source: unknown) => tokenField.parse(textFields(source, ['token']).token)

/** `/reset-password`: the page of a reset link. Setting the password ends all other sessions. */
export const resetPasswordPage: Page = async (scope, deps) => {
  const { services } = deps

  scope.get(PATH, async ({ query }, reply) => {
    const token = tokenIn(query)
    const reset = await readReset(services, token, new Date())
    if (!reset) throw refuse('link_already_used')
    return sendPage(reply, view(token, reset))
  })

  const again = async ({ body }: FastifyRequest, wrong: string) => {
    const token = tokenIn(body)
    return view(token, await readReset(services, token, new Date()), wrong)
  }
  postForm(scope, PATH, again, async (request, reply) => {
    const input = parseForm(form, request)
    const { token, isFirstProof } = await resetPassword(services, input, visitOf(request))
    await replaceSession(deps, reply, token)
    return redirectDone(reply, '/dashboard/account', isFirstProof ? 'proved' : 'reset')
  })
}

const firstProof = html`
<p class="notice">Nobody has verified this address, so someone else may have opened the account.
Saving a password verifies it, and revokes all keys, removes all agents and disables all webhook
endpoints. Bookings stay.</p>`
const nextProof = html`<p>Keys, agents and webhook endpoints keep working.</p>`

/** `reset`: undefined when the link was used meanwhile. */
const view = (token: string, reset: { isFirstProof: boolean } | undefined, wrong?: string) => {
  const password = newPasswordField('New password', 'password', SIGNS_OUT)
  const effect = reset && (reset.isFirstProof ? firstProof : nextProof)
  const fields = [hidden('token', token), ...(effect ? [effect] : []), password]
  return frontPage(
    'Reset your password',
    html`${stackForm(PATH, 'Save password', fields, 'main')}
<p>${link('/forgot-password', 'Send a new link')}</p>`,
    wrong,
  )
}
