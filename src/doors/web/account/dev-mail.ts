import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/rules/errors.ts'
import { type DevMail, selectMails } from '../../../platform/mail/dev-mailbox.ts'
import { mailTransport } from '../../../platform/mail/send-mail.ts'
import { empty } from '../components/list.ts'
import { when } from '../components/time.ts'
import type { DashboardDeps } from '../dashboard/page-deps.ts'
import { type Html, html } from '../html.ts'
import { page, sendPage } from '../page.ts'

const MAX_SHOWN = 20
const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * `/dev/mail`: the mails of a development machine without a mail server. They open accounts, so that they are shown on that machine
 * alone, and to no page of another host that has been made to resolve to it.
 */
export async function devMail(scope: FastifyInstance, { services, config }: DashboardDeps) {
  if (mailTransport(config) !== 'devMailbox') return
  scope.get('/dev/mail', async (request, reply) => {
    if (!isLocal(request)) throw refuse('page_not_found')
    return sendPage(
      reply,
      page('Development mailbox', view(await selectMails(services.db, MAX_SHOWN))),
    )
  })
}

/** Said by proxies, behind which everybody comes from this machine. */
const proxied = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

const isLocal = ({ ip, headers }: FastifyRequest) =>
  loopbackAddress.test(ip) &&
  loopbackHost.test(headers.host ?? '') &&
  proxied.every((name) => headers[name] === undefined)

const view = (mails: readonly DevMail[]): Html => html`
<h1>Development mailbox</h1>
<p class="quiet">This machine has no mail server (<code>SMTP_URL</code>): mails stay here for a week and go nowhere.</p>
${mails.length === 0 ? empty('No emails yet', 'Sign up or request a password reset to see one here.') : html`<ul class="list">${mails.map(entry)}</ul>`}`

const entry = ({ recipient, subject, body, created_at }: DevMail) => html`
<li><strong>${subject}</strong><p class="quiet">to ${recipient} · ${when(created_at)}</p><pre class="text">${linked(body)}</pre></li>`

/** The text with its addresses as links. */
const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((piece, place) =>
      place % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`,
    )
