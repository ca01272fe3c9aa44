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
  const { mails } = view.words
  const button = (choice: MailChoice, words: string) => html`
<form method="post" action="${inLanguage(view, view.path)}">
<input type="hidden" name="mails" value="${choice}"><button>${words}</button></form>`
  const views: Record<MailState, Html> = {
    on: html`<p>${mails.about(maskedAddress(email ?? ''))}</p>
${button('booking', mails.stopBooking)}${button('address', mails.stopAddress)}`,
    booking_stopped: html`<p role="status">${mails.bookingStopped}</p>
${button('address', mails.stopAddress)}${button('allow', mails.allow)}`,
    address_stopped: html`<p role="status">${mails.addressStopped}</p>
${button('allow', mails.allow)}`,
    none: html`<p>${mails.none}</p>`,
  }
  return html`<h1>${mails.title}</h1>${views[state]}`
}
