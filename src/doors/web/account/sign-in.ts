import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { signIn } from '../../../accounts/operations/sign-in.ts'
import { field } from '../components/form.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { answerForm, doneNotice, formFields, parseForm } from '../forms.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { email, password } from './credentials.ts'
import { endPresent } from './end-present.ts'
import { frontPage } from './front-page.ts'
import { ownPath } from './own-path.ts'
import { visitOf } from './visit.ts'

const form = z.object({ email, password })

const sentences = {
  verified: 'Your address is verified.',
  'signed-out': 'You are signed out.',
  ended:
    'Your session has expired. Sessions end after two weeks without use, or when the password changes. Sign in and check whether your last action went through.',
}

/** `/sign-in`: a new session for whoever knows the password. */
export async function signInRoutes(scope: FastifyInstance, { services, guards }: DashboardDeps) {
  scope.get('/sign-in', async (request, reply) => {
    const { next } = request.query as { next?: unknown }
    if (request.developer) return reply.redirect(ownPath(next), 303)
    const notice = doneNotice(request, sentences)
    const said = notice ? html`<p class="notice" role="status">${notice}</p>` : html``
    return sendPage(reply, view({ next: ownPath(next), said }))
  })

  scope.post('/sign-in', async (request, reply) => {
    const fields = formFields(request)
    const next = ownPath(fields.next)
    return answerForm(
      reply,
      async () => {
        const token = await signIn(services, parseForm(form, request), visitOf(request))
        await endPresent(services, request)
        guards.sessionCookie.write(reply, token)
        return reply.redirect(next, 303)
      },
      (wrong) => view({ next, wrong, email: String(fields.email ?? '') }),
    )
  })
}

type View = { next: string; wrong?: string; email?: string; said?: ReturnType<typeof html> }

const view = ({ next, wrong, email: value = '', said = html`` }: View) =>
  frontPage(
    'Sign in',
    html`${said}
<form class="stack" method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
${field('E-mail', { name: 'email', type: 'email', value, required: true, autocomplete: 'username' })}
${field('Password', { name: 'password', type: 'password', required: true, autocomplete: 'current-password' })}
<button class="main">Sign in</button>
</form>
<p><a href="/forgot-password">Forgot your password?</a> · <a href="/sign-up">Create an account</a></p>`,
    wrong,
  )
