import type { Config } from '../../config/config.ts'
import { mailTransport } from '../../platform/mail/send-mail.ts'
import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { page } from '../page/page.ts'

const timeZoneScript = html`<script src="${assetPath('time-zone.js')}" type="module"></script>`

/** A narrow page for visitors. `wrong` says why the form is shown again. */
export const frontPage = (title: string, body: Html, wrong?: string, address?: string): string =>
  page(
    title,
    html`<div class="narrow"><h1>${title}</h1>
${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}${body}</div>`,
    { head: timeZoneScript, ...(address && { address }) },
  )

export const noMails = html`<p>This network sends no email. Ask its operator for help.</p>`

/** Says where to find emails on a development machine. */
export const mailHint = (config: Config): Html =>
  html`${
    mailTransport(config) === 'devMailbox' &&
    html`<p class="quiet">This machine has no mail server. Emails land in the
<a href="/dev/mail">development mailbox</a>.</p>`
  }`
