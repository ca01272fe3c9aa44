import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import type { NetworkServices } from '../../network.ts'
import { type DevMail, opensDevMailbox, selectMails } from '../../platform/mail/dev-mailbox.ts'
import { mailTransport } from '../../platform/mail/send-mail.ts'
import type { Page } from '../dashboard/page.ts'
import { empty, link, when } from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { page, sendPage } from '../page/page.ts'
import { frontPage } from './front-page.ts'

const MAX_SHOWN = 20
const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
/** Behind a proxy, every request appears to come from this machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

const COOKIE = 'dev_mail'
const cookiePattern = new RegExp(`(?:^|; ?)${COOKIE}=([\\w-]+)`)

/**
 * `/dev/mail`: the emails of a development machine without a mail server. They give access to
 * accounts, so the page is served only to this machine, under a loopback name, and with the token
 * printed at startup, because a local proxy may hide the real caller.
 */
export const devMailPage: Page = async (scope, { services, config }) => {
  if (mailTransport(config) !== 'devMailbox') return
  scope.get('/dev/mail', async (request, reply) => {
    if (!isLocal(request)) throw refuse('page_not_found')
    if (!hasToken(request, reply, services)) return sendPage(reply.status(403), noToken)
    const mails = await selectMails(services.db, MAX_SHOWN)
    const body = html`
<h1>Development mailbox</h1>
<p class="quiet">This machine has no mail server (<code>SMTP_URL</code>): emails are kept here for a
week and not sent.</p>
${mails.length > 0 ? html`<ul class="list">${mails.map(entry)}</ul>` : none}`
    return sendPage(reply, page('Development mailbox', body))
  })
}

const isLocal = ({ ip, headers }: FastifyRequest) =>
  loopbackAddress.test(ip) &&
  loopbackHost.test(headers.host ?? '') &&
  proxyHeaders.every((name) => headers[name] === undefined)

/** A token in the address is stored in a cookie, so that links to this page work without it. */
function hasToken(request: FastifyRequest, reply: FastifyReply, { egress }: NetworkServices) {
  const { token } = textFields(request.query, ['token'])
  if (token && opensDevMailbox(token, egress)) {
    reply.header('set-cookie', `${COOKIE}=${token}; Path=/dev/mail; HttpOnly; SameSite=Strict`)
    return true
  }
  const cookie = cookiePattern.exec(request.headers.cookie ?? '')?.[1]
  return cookie !== undefined && opensDevMailbox(cookie, egress)
}

const noToken = frontPage(
  'Development mailbox',
  html`<p>Open the address of this page that was printed when the service started: it has a
token.</p>`,
)

const none = empty('No emails yet', 'Sign up or request a password reset to see one here.')

const entry = ({ recipient, subject, body, attachment, created_at }: DevMail) => html`
<li><strong>${subject}</strong><p class="quiet">to ${recipient} · ${when(created_at)}</p>
<pre class="text">${body
  .split(/(https?:\/\/\S+)/)
  .map((part, index) => (index % 2 === 1 ? link(part, part) : part))}</pre>
${
  attachment &&
  html`<details><summary>${attachment.name}</summary>
<pre class="text">${attachment.content}</pre></details>`
}</li>`
