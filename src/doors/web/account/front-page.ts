import type { Config } from '../../../config.ts'
import { mailTransport } from '../../../platform/mail/send-mail.ts'
import { type Html, html } from '../html.ts'
import { page } from '../page.ts'

/** A narrow page for somebody who is not signed in; `wrong` says why the form is shown again. */
export function frontPage(title: string, body: Html, wrong?: string): string {
  return page(
    title,
    html`<div class="narrow"><h1>${title}</h1>${wrong ? html`<p class="notice bad" role="alert">${wrong}</p>` : ''}${body}</div>`,
  )
}

/** What to do where a mail would be the way, and the network sends none. */
export const noMails = html`<p>This network sends no email. Ask its operator for help.</p>`

/** Where to look for a mail that was promised. */
export const whereMailsAre = (config: Config): Html =>
  mailTransport(config) === 'devMailbox'
    ? html`<p class="quiet">This machine has no mail server. Emails land in the <a href="/dev/mail">development mailbox</a>.</p>`
    : html``
