import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isResetGood, resetPassword } from '../../../accounts/operations/reset-password.ts'
import { PASSWORD_MIN } from '../../../accounts/rules/sign-in.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import { field } from '../components/form.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { answerForm, parseForm } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { newPassword, token as tokenField } from './credentials.ts'
import { endPresent } from './end-present.ts'
import { frontPage } from './front-page.ts'
import { visitOf } from './visit.ts'

const form = z.object({ token: tokenField, password: newPassword })

/** `/reset-password`: where the link of a mail leads; setting the password signs in and ends every other session. */
export async function resetPasswordRoutes(scope: FastifyInstance, deps: DashboardDeps) {
  const { services, guards } = deps

  scope.get('/reset-password', async (request, reply) => {
    const token = tokenField.parse((request.query as { token?: unknown }).token)
    if (!(await isResetGood(services, token, new Date()))) throw refuse('link_already_used')
    return sendPage(reply, view(token))
  })

  scope.post('/reset-password', async (request, reply) => {
    const token = tokenField.parse((request.body as { token?: unknown } | undefined)?.token)
    return answerForm(
      reply,
      async () => {
        const asked = parseForm(form, request)
        const { token, isFirstProof } = await resetPassword(services, asked, visitOf(request))
        await endPresent(services, request)
        guards.sessionCookie.write(reply, token)
        return reply.redirect(`/dashboard/account?done=${isFirstProof ? 'proved' : 'reset'}`, 303)
      },
      (wrong) => view(token, wrong),
    )
  })
}

const view = (token: string, wrong?: string) =>
  frontPage(
    'Reset your password',
    html`
<form class="stack" method="post" action="/reset-password">
<input type="hidden" name="token" value="${token}">
${field('New password', { name: 'password', type: 'password', required: true, autocomplete: 'new-password', minlength: PASSWORD_MIN }, `At least ${PASSWORD_MIN} characters. This signs you out everywhere else.`)}
<button class="main">Save password</button>
</form>
<p><a href="/forgot-password">Send a new link</a></p>`,
    wrong,
  )
