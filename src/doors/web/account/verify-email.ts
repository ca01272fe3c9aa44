import { z } from 'zod'
import { verifyEmail } from '../../../accounts/operations/verify-email.ts'
import { hidden, link, stackForm } from '../components.ts'
import { type Page, redirectDone } from '../dashboard/page-kit.ts'
import { answerForm, parseForm, textFields } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { token as tokenField } from './credentials.ts'
import { frontPage } from './front-page.ts'

const PATH = '/verify-email'
const TITLE = 'Verify your email address'
const form = z.object({ token: tokenField })

/** `/verify-email`: the page of a verification link. Mail scanners open links, so a button decides. */
export const verifyEmailPage: Page = async (scope, { services }) => {
  scope.get(PATH, async ({ query }, reply) => {
    const token = tokenField.parse(textFields(query, ['token']).token)
    const fields = [hidden('token', token), html`<p>Confirm that this email address is yours.</p>`]
    return sendPage(reply, frontPage(TITLE, stackForm(PATH, 'Verify address', fields, 'main')))
  })

  scope.post(PATH, async (request, reply) =>
    answerForm(
      reply,
      async () => {
        const verified = await verifyEmail(services, parseForm(form, request).token, new Date())
        const { developer } = request
        if (!developer) return redirectDone(reply, '/sign-in', 'verified')
        const done = verified === developer.id ? 'verified' : 'other-verified'
        return redirectDone(reply, '/dashboard/account', done)
      },
      (wrong) => {
        const account = link('/dashboard/account', 'account page')
        return frontPage(TITLE, html`<p>Get a new link on the ${account}.</p>`, wrong)
      },
    ),
  )
}
