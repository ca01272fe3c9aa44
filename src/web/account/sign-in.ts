import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notify } from '../../accounts/operations/account-mails.ts'
import { leaveSession } from '../../accounts/operations/sessions.ts'
import { signIn } from '../../accounts/operations/sign-in.ts'
import type { Page } from '../dashboard/page.ts'
import { hidden, link, stackForm } from '../page/components.ts'
import {
  doneNotice,
  type FieldErrors,
  parseForm,
  postForm,
  textFields,
  withQuery,
} from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import { currentPasswordField, email, emailField, password } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { confirmFirst, PASSKEY, passkeyForm } from './passkey-form.ts'
import { createReturns, type Return, returnNotice } from './return-address.ts'
import { replaceSession, visitOf } from './sessions.ts'
import notices from './sign-in-notices.json' with { type: 'json' }

const form = z.object({ email, password })

/** `/sign-in` and `/sign-out`. */
export const signInPage: Page = async (scope, deps) => {
  const inBackground = createBackground(scope, deps.log)
  const address = `${deps.publicUrl}/sign-in`
  const returns = createReturns(deps.publicUrl)

  scope.get('/sign-in', async (request, reply) => {
    const to = returns.read(request)
    const { next = to?.path } = textFields(request.query, ['next'])
    if (request.unproved) return reply.redirect(confirmFirst(ownPath(next)), 303)
    if (request.developer) return reply.redirect(ownPath(next), 303)
    return sendPage(reply, view({ next, to }, doneNotice(request, notices), { address }))
  })

  const again = (request: FastifyRequest, wrong: string, errors: FieldErrors) => {
    const fields = textFields(request.body, ['next', 'email'])
    const shown = { ...fields, to: returns.read(request) }
    return view(shown, undefined, { wrong, errors, address })
  }
  postForm(scope, '/sign-in', again, async (request, reply) => {
    const visit = { ...visitOf(request), deviceToken: deps.guards.readDevice(request) }
    const { token, noticeTo } = await signIn(deps.services, parseForm(form, request), visit)
    inBackground('the notice of a sign-in was not sent', () =>
      notify(deps.services, 'sign_in', noticeTo, visit),
    )
    await replaceSession(deps, reply, token)
    return reply.redirect(ownPath(textFields(request.body, ['next']).next), 303)
  })

  scope.get('/sign-out', async (_, reply) => reply.redirect('/dashboard', 303))

  scope.post('/sign-out', async (request, reply) => {
    const { developer } = request
    if (developer) await leaveSession(deps.services, developer, visitOf(request))
    deps.guards.clearSession(reply)
    return reply.redirect('/sign-in?done=signed-out', 303)
  })
}

type Fields = { next?: string | undefined; email?: string; to: Return | undefined }

function view(
  { next, email, to }: Fields,
  notice: Html | undefined,
  { wrong, errors = {}, address }: { wrong?: string; errors?: FieldErrors; address: string },
): string {
  const fields = [
    hidden('next', ownPath(next)),
    emailField(email, errors.email),
    currentPasswordField('Password', errors.password),
  ]
  return frontPage(
    'Sign in',
    html`${notice && html`<p class="notice" role="status">${notice}</p>`}
${returnNotice(to, 'Sign in')}
${stackForm('/sign-in', 'Sign in', fields, 'main')}
${passkeyForm(address, 'Sign in with a passkey', { action: PASSKEY, more: fields[0] })}
<p>${link('/forgot-password', 'Forgot your password?')} ·
${link(withQuery('/sign-up', { next: to?.path }), 'Create an account')}</p>`,
    wrong,
    address,
  )
}

const base = 'http://own.invalid'

/** Returns `next` if it is a path on this server; otherwise `/dashboard`. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/[^/\\]/.test(next) || !URL.canParse(next, base)) {
    return '/dashboard'
  }
  const { origin, pathname, search } = new URL(next, base)
  // `/.//host` becomes `//host`, which points to another server.
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/dashboard'
}
