import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notify } from '../../accounts/operations/account-mails.ts'
import { readReset, resetPassword } from '../../accounts/operations/reset-password.ts'
import { RESET_HOURS } from '../../accounts/rules/sign-in.ts'
import { refuse } from '../../base/errors.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import { type Page, redirectDone } from '../dashboard/page.ts'
import { hidden, link, linkButton, stackForm } from '../page/components.ts'
import { type FieldErrors, parseForm, postForm } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import {
  disconnectBox,
  disconnects,
  newPassword,
  newPasswordField,
  SIGNS_OUT,
  token as tokenField,
  tokenIn,
} from './credentials.ts'
import { frontPage } from './front-page.ts'
import { createReturns } from './return-address.ts'
import { replaceSession, visitOf } from './sessions.ts'

const PATH = '/reset-password'
const form = z.object({ token: tokenField, password: newPassword, disconnects })

/** `/reset-password`: the page of a reset link. Setting a new password ends all other sessions. */
export const resetPasswordPage: Page = async (scope, deps) => {
  const { services } = deps
  const inBackground = createBackground(scope, deps.log)
  const returns = createReturns(deps.publicUrl)

  scope.get(PATH, async ({ query }, reply) => {
    const token = tokenIn(query)
    const reset = await readReset(services, token, new Date())
    if (!reset) {
      setRefusal(reply, refuse('link_already_used').data)
      return sendPage(reply, expiredView)
    }
    return sendPage(reply, view(token, reset))
  })

  const again = async ({ body }: FastifyRequest, wrong: string, errors: FieldErrors) => {
    const token = tokenIn(body)
    const reset = await readReset(services, token, new Date())
    return reset ? view(token, reset, { wrong, errors }) : expiredView
  }
  postForm(scope, PATH, again, async (request, reply) => {
    const input = parseForm(form, request)
    const visit = visitOf(request)
    const { token, changed, isFirstProof } = await resetPassword(services, input, visit)
    inBackground('the email about a changed password was not sent', () =>
      notify(services, 'changed', changed, visit),
    )
    await replaceSession(deps, reply, token)
    const to = returns.latest(request)
    if (to) return reply.redirect(to.path, 303)
    return redirectDone(reply, '/dashboard/account', isFirstProof ? 'proved' : 'reset')
  })
}

const firstProof = html`
<p class="notice bad">Nobody has verified this address, so someone else may have opened the account.
Saving a password verifies it, and revokes all keys, disconnects all assistants, removes all agents
and disables all webhook endpoints. Bookings stay.</p>`
const nextProof = html`<p>Keys, agents and webhook endpoints keep working.</p>${disconnectBox}`

type Refused = { wrong?: string; errors?: FieldErrors }

const expiredView = frontPage(
  'This link is no longer valid',
  html`
<p>A reset link works once, for ${RESET_HOURS} hour. Get a new one by email.</p>
<p>${linkButton('/forgot-password', 'Send a new link')}</p>
<p>${link('/sign-in', 'Sign in')}</p>`,
)

const view = (
  token: string,
  { isFirstProof }: { isFirstProof: boolean },
  { wrong, errors = {} }: Refused = {},
) => {
  const password = newPasswordField('New password', 'password', SIGNS_OUT, errors.password)
  const fields = [hidden('token', token), isFirstProof ? firstProof : nextProof, password]
  return frontPage(
    'Reset your password',
    html`${stackForm(PATH, 'Save password', fields, 'main')}
<p>${link('/forgot-password', 'Send a new link')}</p>`,
    wrong,
  )
}
