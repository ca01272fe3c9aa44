import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notify, notifyOwner, sendVerification } from '../../accounts/operations/account-mails.ts'
import { signUp } from '../../accounts/operations/sign-up.ts'
import { mailTransport } from '../../platform/mail/send-mail.ts'
import type { Page } from '../dashboard/page.ts'
import { showQuickstart } from '../dashboard/pages/quickstart.ts'
import { hidden, link, stackForm } from '../page/components.ts'
import { type FieldErrors, parseForm, postForm, textFields, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import { email, emailField, newPassword, newPasswordField } from './credentials.ts'
import { frontPage, mailHint, noMails } from './front-page.ts'
import { confirmFirst } from './passkey-form.ts'
import { createReturns, type Return, returnNotice } from './return-address.ts'
import { replaceSession, visitOf } from './sessions.ts'

const PATH = '/sign-up'
const form = z.object({ email, password: newPassword })

/**
 * `/sign-up`: opens an account on the free tier, signs its owner in and shows the first key. People
 * whom an assistant sent get no key: they return to its request.
 */
export const signUpPage: Page = async (scope, deps) => {
  const { services, guards, log, config } = deps
  const returns = createReturns(deps.publicUrl)
  const view = (request: FastifyRequest, wrong?: string, errors?: FieldErrors) =>
    formView(request, returns.read(request), { address: `${deps.publicUrl}${PATH}`, wrong, errors })
  const nextOf = (request: FastifyRequest) => returns.read(request)?.path ?? '/dashboard'
  const inBackground = createBackground(scope, log)

  scope.get(PATH, async (request, reply) => {
    if (request.unproved) return reply.redirect(confirmFirst(nextOf(request)), 303)
    if (request.developer) return reply.redirect(nextOf(request), 303)
    return sendPage(reply, view(request))
  })

  postForm(scope, PATH, view, async (request, reply) => {
    if (request.developer) return reply.redirect(nextOf(request), 303)
    const credentials = parseForm(form, request)
    const visit = visitOf(request)
    const to = returns.read(request)
    const result = await signUp(services, { ...credentials, getsKey: to === undefined }, visit)
    if (result.isNew) {
      const { developer, token, key } = result.signedUp
      inBackground('a verification email was not sent', () =>
        sendVerification(services, developer, visit.at),
      )
      await replaceSession(deps, reply, token)
      if (to) return reply.redirect(to.path, 303)
      await guards.openSession(request, token)
      return showQuickstart(reply, deps, key)
    }
    if (result.signedIn) {
      const { token, noticeTo } = result.signedIn
      inBackground('the notice of a sign-in was not sent', () =>
        notify(services, 'sign_in', noticeTo, visit),
      )
      await replaceSession(deps, reply, token)
      return reply.redirect(nextOf(request), 303)
    }
    inBackground('the email to the owner of an address was not sent', () =>
      notifyOwner(services, credentials.email, visit.at),
    )
    return sendPage(
      reply,
      mailTransport(config) === 'none'
        ? frontPage('No account was created', takenText)
        : frontPage('Check your inbox', html`${mailedText}${mailHint(config)}`),
    )
  })
}

type Look = { address: string; wrong: string | undefined; errors: FieldErrors | undefined }

function formView(
  { body }: FastifyRequest,
  to: Return | undefined,
  { address, wrong, errors = {} }: Look,
): string {
  const { email } = textFields(body, ['email'])
  const fields = [
    html`${to && hidden('next', to.path)}`,
    emailField(email, errors.email),
    newPasswordField('Password', 'password', '', errors.password),
  ]
  const signIn = link(withQuery('/sign-in', { next: to?.path }), 'Sign in')
  return frontPage(
    'Create your account',
    html`
${returnNotice(to, 'Create your account')}
${!to && html`<p>Free. Your API key is on the next page.</p>`}
${stackForm(PATH, 'Create account', fields, 'main')}
<p>Already have an account? ${signIn}</p>`,
    wrong,
    address,
  )
}

const mailedText = html`
<p>We did not create an account. If this address is yours, we have sent you an email with the next
step: <a href="/sign-in">sign in</a>, or <a href="/forgot-password">reset your password</a>.</p>`

const takenText = html`
<p>An account with this address already exists. If it is yours, <a href="/sign-in">sign in</a>.</p>
${noMails}`
