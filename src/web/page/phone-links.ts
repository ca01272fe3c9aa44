import { isValidPhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import type { Words } from '../../base/languages.ts'
import { type Html, html } from './html.ts'

/** Links to call a number and, if it is a mobile one, to write to it on WhatsApp. */
export function phoneLinks({ say }: Words, phone: string): Html {
  const number = parsePhoneNumberFromString(phone)?.number ?? phone.replaceAll(/[^\d+]/g, '')
  return html`<a class="button second" href="tel:${number}">${say('labels.call')}: ${phone}</a>${
    // Only mobile numbers can be on WhatsApp: faq.whatsapp.com, "click to chat".
    isValidPhoneNumber(phone) &&
    html`<a class="button second" href="https://wa.me/${number.slice(1)}"
rel="noreferrer">${say('labels.whatsapp')}</a>`
  }`
}
