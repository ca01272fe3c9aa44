import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendReset } from '../../../accounts/operations/account-mails.ts'
import { throttle } from '../../../accounts/operations/throttle.ts'
import { RESET_HOURS, throttles } from '../../../accounts/rules/sign-in.ts'
import { mailTransport } from '../../../platform/mail/send-mail.ts'
import { field } from '../components/form.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { answerForm, formFields, parseForm } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { email } from './credentials.ts'
import { frontPage, noMails, whereMailsAre } from './front-page.ts'
import { createLater } from './later.ts'
import { visitOf } from './visit.ts'

const form = z.object({ email })

/**
 * `/forgot-password`: a mail to whoever has the address. The answer is the same, and as fast, when nobody has. Where no mails are sent it
 * promises none.
 */
export async function forgotPassword(scope: FastifyInstance, deps: DashboardDeps) {
  const { services, log, config } = deps
  const later = createLater(scope, log)
  const hasMails = mailTransport(config) !== 'none'

  scope.get('/forgot-password', async (_, reply) => sendPage(reply, hasMails ? view() : nowhere()))

  scope.post('/forgot-password', async (request, reply) =>
    answerForm(
      reply,
      async () => {
        if (!hasMails) return sendPage(reply, nowhere())
        const asked = parseForm(form, request)
        const { at, address } = visitOf(request)
        await throttle(services.db, throttles.mailByAddress, address, at)
        later('a password mail was not sent', () => sendReset(services, asked.email, at))
        return sendPage(reply, sentView(whereMailsAre(config)))
      },
      (wrong) => view(wrong, String(formFields(request).email ?? '')),
    ),
  )
}

const view = (wrong?: string, value = '') =>
  frontPage(
    'Reset your password',
    html`
<form class="stack" method="post" action="/forgot-password">
${field('E-mail', { name: 'email', type: 'email', value, required: true, autocomplete: 'username', maxlength: 254 })}
<button class="main">Send reset link</button>
</form>
<p><a href="/sign-in">Back to sign-in</a></p>`,
    wrong,
  )

const nowhere = () =>
  frontPage('Reset your password', html`${noMails}<p><a href="/sign-in">Back to sign-in</a></p>`)

const sentView = (hint: ReturnType<typeof html>) =>
  frontPage(
    'Check your inbox',
    html`
<p>If an account with this address exists, a reset link is on its way. It works once, for ${RESET_HOURS} hour.</p>
${hint}
<p><a href="/sign-in">Back to sign-in</a></p>`,
  )
