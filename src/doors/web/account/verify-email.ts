import { z } from 'zod'
import { verifyEmail } from '../../../accounts/operations/verify-email.ts'
import { hidden, link, stackForm } from '../components.ts'
import { type Page, redirectDone } from '../dashboard/page-kit.ts'
import { parseForm, postForm, textFields } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { token as tokenField } from './credentials.ts'
import { frontPage } from './front-page.ts'

const PATH = '/verify-email'
const TITLE = 'Verify your email address'
const form = z.object({ token: tokenField })

const newLink = html`<p>Get a new link on the ${link('/dashboard/account', 'account page')}.</p>`

/** `/verify-email`: a verification link. Mail scanners open links, so only the button verifies. */
export const verifyEmailPage: Page = async (scope, { services }) => {
  scope.get(PATH, async ({ query }, reply) => {
    const token = tokenField.parse(textFields(query, ['token']).token)
    const fields = [hidden('token', token), html`<p>Confirm that this email address is yours.</p>`]
    return sendPage(reply, frontPage(TITLE, stackForm(PATH, 'Verify address', fields, 'main')))
  })

  const again = (_: unknown, wrong: string) => frontPage(TITLE, newLink, wrong)
  postForm(scope, PATH, again, async (request, reply) => {
    const verified = await verifyEmail(services, parseForm(form, request).token, new Date())
    const { developer } = request
    if (!developer) return redirectDone(reply, '/sign-in', 'verified')
    const done = verified === developer.id ? 'verified' : 'other-verified'
    return redirectDone(reply, '/dashboard/account', done)
  })
}
