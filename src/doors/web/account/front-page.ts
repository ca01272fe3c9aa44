import type { Config } from '../../../config.ts'
import { type Html, html } from '../html.ts'
import { page } from '../page.ts'

/** A narrow page for somebody who is not signed in; `wrong` says why the form is shown again. */
export function frontPage(title: string, body: Html, wrong?: string): string {
  return page(
    title,
    html`<div class="narrow"><h1>${title}</h1>${wrong ? html`<p class="notice bad" role="alert">${wrong}</p>` : ''}${body}</div>`,
  )
}

/** Whether mails are kept here to be read at `/dev/mail`: on a development machine without a mail server. */
export const keepsMails = ({ SMTP_URL, NODE_ENV }: Config): boolean =>
  !SMTP_URL && NODE_ENV !== 'production'

/** Where to look for a mail that was promised. */
export const whereMailsAre = (config: Config): Html =>
  keepsMails(config)
    ? html`<p class="quiet">This machine has no mail server: mails are kept in the <a href="/dev/mail">development mailbox</a>.</p>`
    : html``
