import {
  type MailChoice,
  type MailState,
  maskedAddress,
} from '../../guests/operations/guest-mails.ts'
import { type Html, html } from '../page/html.ts'
import { type GuestView, inLanguage } from './guest-document.ts'

type Mails = { email: string | null; state: MailState }

/** Whether emails are sent, and buttons to stop or allow them. */
export function mailsView(view: GuestView, { email, state }: Mails): Html {
  const { say } = view.words
  const button = (choice: MailChoice, words: string) => html`
<form method="post" action="${inLanguage(view, view.path)}">
<input type="hidden" name="mails" value="${choice}"><button>${words}</button></form>`
  const views: Record<MailState, Html> = {
    on: html`<p>${say('mails.about', { address: maskedAddress(email ?? '') })}</p>
${button('booking', say('mails.stopBooking'))}${button('address', say('mails.stopAddress'))}`,
    booking_stopped: html`<p role="status">${say('mails.bookingStopped')}</p>
${button('address', say('mails.stopAddress'))}${button('allow', say('mails.allow'))}`,
    address_stopped: html`<p role="status">${say('mails.addressStopped')}</p>
${button('allow', say('mails.allow'))}`,
    none: html`<p>${say('mails.none')}</p>`,
  }
  return html`<h1>${say('mails.title')}</h1>${views[state]}`
}
