import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { verifyEmail } from '../../../accounts/operations/verify-email.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { answerForm, parseForm } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { token as tokenField } from './credentials.ts'
import { frontPage } from './front-page.ts'

const form = z.object({ token: tokenField })

/** `/verify-email`: where the link of a mail leads. Only the button counts, as programs that look through mails open links. */
export async function verifyEmailRoutes(scope: FastifyInstance, { services }: DashboardDeps) {
  scope.get('/verify-email', async (request, reply) => {
    const token = tokenField.parse((request.query as { token?: unknown }).token)
    return sendPage(reply, view(token))
  })

  scope.post('/verify-email', async (request, reply) =>
    answerForm(
      reply,
      async () => {
        const verified = await verifyEmail(services, parseForm(form, request).token, new Date())
        const { developer } = request
        if (!developer) return reply.redirect('/sign-in?done=verified', 303)
        const done = verified === developer.id ? 'verified' : 'other-verified'
        return reply.redirect(`/dashboard/account?done=${done}`, 303)
      },
      (wrong) =>
        frontPage(
          'Verify your email address',
          html`<p>Get a new link on the <a href="/dashboard/account">account page</a>.</p>`,
          wrong,
        ),
    ),
  )
}

const view = (token: string) =>
  frontPage(
    'Verify your email address',
    html`
<form class="stack" method="post" action="/verify-email">
<input type="hidden" name="token" value="${token}">
<p>Confirm that this email address is yours.</p>
<button class="main">Verify address</button>
</form>`,
  )
