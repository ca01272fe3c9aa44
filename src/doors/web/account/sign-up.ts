import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notifyOwner, sendVerification } from '../../../accounts/operations/account-mails.ts'
import { signUp } from '../../../accounts/operations/sign-up.ts'
import { PASSWORD_MIN } from '../../../accounts/rules/sign-in.ts'
import { mailTransport } from '../../../platform/mail/send-mail.ts'
import { field } from '../components/form.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { quickstartPage } from '../dashboard/pages/quickstart.ts'
import { answerForm, formFields, parseForm } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { email, newPassword } from './credentials.ts'
import { frontPage, noMails, whereMailsAre } from './front-page.ts'
import { createLater } from './later.ts'
import { visitOf } from './visit.ts'

const form = z.object({ email, password: newPassword })

/** `/sign-up`: an account on the free tier, signed in and with its first key in the answer. */
export async function signUpRoutes(scope: FastifyInstance, deps: DashboardDeps) {
  const { services, guards, log, call, config } = deps
  const later = createLater(scope, log)

  scope.get('/sign-up', async (request, reply) =>
    request.developer ? reply.redirect('/dashboard', 303) : sendPage(reply, view()),
  )

  scope.post('/sign-up', async (request, reply) => {
    if (request.developer) return reply.redirect('/dashboard', 303)
    return answerForm(
      reply,
      async () => {
        const credentials = parseForm(form, request)
        const visit = visitOf(request)
        const result = await signUp(services, credentials, visit)
        if (result.isNew) {
          const { developer, token, key } = result.signedUp
          later('a verification mail was not sent', () =>
            sendVerification(services, developer, visit.at),
          )
          guards.sessionCookie.write(reply, token)
          await guards.openSession(request, token)
          return sendPage(reply, await quickstartPage(request, { services, call }, key))
        }
        if (result.token) {
          guards.sessionCookie.write(reply, result.token)
          return reply.redirect('/dashboard', 303)
        }
        later('the owner of an address was not told', () =>
          notifyOwner(services, credentials.email, visit.at),
        )
        const hasMails = mailTransport(config) !== 'none'
        return sendPage(reply, hasMails ? knownView(whereMailsAre(config)) : takenView())
      },
      (wrong) => view(wrong, String(formFields(request).email ?? '')),
    )
  })
}

const view = (wrong?: string, value = '') =>
  frontPage(
    'Create your account',
    html`
<p>Free. Your API key is on the next page.</p>
<form class="stack" method="post" action="/sign-up">
${field('E-mail', { name: 'email', type: 'email', value, required: true, autocomplete: 'username', maxlength: 254 })}
${field('Password', { name: 'password', type: 'password', required: true, autocomplete: 'new-password', minlength: PASSWORD_MIN }, `At least ${PASSWORD_MIN} characters.`)}
<button class="main">Create account</button>
</form>
<p>Already have an account? <a href="/sign-in">Sign in</a></p>`,
    wrong,
  )

const knownView = (hint: ReturnType<typeof html>) =>
  frontPage(
    'Check your inbox',
    html`
<p>We did not create an account. If this address is yours, we have sent you an email with the next step: <a href="/sign-in">sign in</a>, or <a href="/forgot-password">reset your password</a>.</p>
${hint}`,
  )

const takenView = () =>
  frontPage(
    'No account was created',
    html`
<p>An account with this address already exists. If it is yours, <a href="/sign-in">sign in</a>.</p>
${noMails}`,
  )
