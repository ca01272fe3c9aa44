import { z } from 'zod'
import { verifyEmail } from '../../accounts/operations/verify-email.ts'
import { type Page, redirectDone } from '../dashboard/page.ts'
import { hidden, link, stackForm } from '../page/components.ts'
import { parseForm, postForm, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { token as tokenField, tokenIn } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { createReturns } from './return-address.ts'
import { visitOf } from './sessions.ts'

const PATH = '/verify-email'
const TITLE = 'Verify your email address'
const form = z.object({ token: tokenField })

const newLink = html`<p>Get a new link on the ${link('/dashboard/account', 'account page')}.</p>`

/**
 * `/verify-email`: the page of a verification link. Mail scanners open links, so only the button
 * verifies, and only when signed in: whoever reads the email may not have opened the account.
 */
export const verifyEmailPage: Page = async (scope, { services, publicUrl }) => {
  const returns = createReturns(publicUrl)

  scope.get(PATH, async ({ query, developer }, reply) => {
    const token = tokenIn(query)
    if (!developer) return sendPage(reply, frontPage(TITLE, signInFirst(token)))
    const fields = [hidden('token', token), html`<p>Confirm that this email address is yours.</p>`]
    return sendPage(reply, frontPage(TITLE, stackForm(PATH, 'Verify address', fields, 'main')))
  })

  const again = (_: unknown, wrong: string) => frontPage(TITLE, newLink, wrong)
  postForm(scope, PATH, again, async (request, reply) => {
    const { developer } = request
    const { token } = parseForm(form, request)
    if (!developer) return sendPage(reply, frontPage(TITLE, signInFirst(token)))
    const input = { token, developerId: developer.id }
    const isOwn = await verifyEmail(services, input, visitOf(request))
    const to = isOwn && returns.latest(request)
    if (to) return reply.redirect(to.path, 303)
    return redirectDone(reply, '/dashboard/account', isOwn ? 'verified' : 'other-account')
  })
}

const signInFirst = (token: string) => html`
<p>${link(withQuery('/sign-in', { next: `${PATH}?token=${token}` }), 'Sign in')} to the account with
this address, then verify it.</p>
<p class="quiet">If you did not open this account, leave the address unverified, or take the account
over: ${link('/forgot-password', 'reset its password')}. That ends everything created in it.</p>`
