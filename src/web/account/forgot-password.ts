import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendReset } from '../../accounts/operations/account-mails.ts'
import { RESET_HOURS, throttles } from '../../accounts/rules/sign-in.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { mailTransport } from '../../platform/mail/send-mail.ts'
import type { Page } from '../dashboard/page.ts'
import { stackForm } from '../page/components.ts'
import { type FieldErrors, parseForm, postForm, textFields } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import { email, emailField } from './credentials.ts'
import { frontPage, mailHint, noMails } from './front-page.ts'
import { visitOf } from './sessions.ts'

const PATH = '/forgot-password'
const form = z.object({ email })

/** `/forgot-password`: emails a reset link without revealing whether an account exists. */
export const forgotPasswordPage: Page = async (scope, { services, log, config }) => {
  const inBackground = createBackground(scope, log)
  const hasMails = mailTransport(config) !== 'none'

  scope.get(PATH, async (request, reply) =>
    sendPage(reply, hasMails ? view(request) : noMailsView()),
  )

  postForm(scope, PATH, view, async (request, reply) => {
    if (!hasMails) return sendPage(reply, noMailsView())
    const { email } = parseForm(form, request)
    const { at, address } = visitOf(request)
    await throttle(services.db, throttles.mailByAddress, address, at)
    inBackground('a password email was not sent', () => sendReset(services, email, at))
    const body = html`
<p>If an account with this address exists, a reset link is on its way, unless three
were sent within the hour. It works once, for ${RESET_HOURS} hour.</p>${mailHint(config)}${back}`
    return sendPage(reply, frontPage('Check your inbox', body))
  })
}

const TITLE = 'Reset your password'
const back = html`<p><a href="/sign-in">Back to sign-in</a></p>`

const noMailsView = () => frontPage(TITLE, html`${noMails}${back}`)

const unverifiedHint = html`<p class="quiet">If you never verified this address, a reset also
revokes your keys, removes your agents and disables your endpoints. To keep them,
<a href="/dashboard/account">verify it</a> in a browser that is still signed in.</p>`

const view = ({ body }: FastifyRequest, wrong?: string, errors: FieldErrors = {}) => {
  const fields = [emailField(textFields(body, ['email']).email, errors.email), unverifiedHint]
  return frontPage(TITLE, html`${stackForm(PATH, 'Send reset link', fields, 'main')}${back}`, wrong)
}
