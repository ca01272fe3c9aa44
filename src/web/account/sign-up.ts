import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  notifyOwner,
  notifySignIn,
  sendVerification,
} from '../../accounts/operations/account-mails.ts'
import { signUp } from '../../accounts/operations/sign-up.ts'
import { mailTransport } from '../../platform/mail/send-mail.ts'
import type { Page } from '../dashboard/page.ts'
import { showQuickstart } from '../dashboard/pages/quickstart.ts'
import { link, stackForm } from '../page/components.ts'
import { type FieldErrors, parseForm, postForm, textFields } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import { email, emailField, newPassword, newPasswordField } from './credentials.ts'
import { frontPage, mailHint, noMails } from './front-page.ts'
import { replaceSession, visitOf } from './sessions.ts'

const PATH = '/sign-up'
const form = z.object({ email, password: newPassword })

/** `/sign-up`: opens an account on the free tier, signs its owner in and shows the first key. */
export const signUpPage: Page = async (scope, deps) => {
  const { services, guards, log, config } = deps
  const view = viewAt(`${deps.publicUrl}${PATH}`)
  const inBackground = createBackground(scope, log)

  scope.get(PATH, async (request, reply) =>
    request.developer ? reply.redirect('/dashboard', 303) : sendPage(reply, view(request)),
  )

  postForm(scope, PATH, view, async (request, reply) => {
    if (request.developer) return reply.redirect('/dashboard', 303)
    const credentials = parseForm(form, request)
    const visit = visitOf(request)
    const result = await signUp(services, credentials, visit)
    if (result.isNew) {
      const { developer, token, key } = result.signedUp
      inBackground('a verification email was not sent', () =>
        sendVerification(services, developer, visit.at),
      )
      await replaceSession(deps, reply, token)
      await guards.openSession(request, token)
      return showQuickstart(reply, deps, key)
    }
    if (result.signedIn) {
      const { token, noticeTo } = result.signedIn
      if (noticeTo !== undefined) {
        inBackground('the notice of a sign-in was not sent', () =>
          notifySignIn(services, noticeTo, visit),
        )
      }
      await replaceSession(deps, reply, token)
      return reply.redirect('/dashboard', 303)
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

const viewAt =
  (address: string) =>
  ({ body }: FastifyRequest, wrong?: string, errors: FieldErrors = {}): string => {
    const { email } = textFields(body, ['email'])
    const fields = [
      emailField(email, errors.email),
      newPasswordField('Password', 'password', '', errors.password),
    ]
    return frontPage(
      'Create your account',
      html`
<p>Free. Your API key is on the next page.</p>
${stackForm(PATH, 'Create account', fields, 'main')}
<p>Already have an account? ${link('/sign-in', 'Sign in')}</p>`,
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
