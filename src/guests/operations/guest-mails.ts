import { refuse } from '../../base/errors.ts'
import { bookingOfGuestMails } from '../../bookings/steps/guest-link.ts'
import type { Services } from '../../contract/operation.ts'
import { addressDigests } from '../rules/mail-address.ts'
import { selectOptionalGuest, updateNotify } from '../store/guest-bookings.ts'
import { deleteStop, insertStop, isStopped } from '../store/guest-mails.ts'

type Deps = Pick<Services, 'db' | 'egress'>

/** Choices: stop emails about this booking, stop all emails to this address, or allow emails. */
export const mailChoices = ['booking', 'address', 'allow'] as const
export type MailChoice = (typeof mailChoices)[number]

/** Whether a guest gets emails; `none` if the guest gave no address or was erased. */
export type MailState = 'on' | 'none' | 'booking_stopped' | 'address_stopped'

/** Throws `guest_link_invalid` if the token is forged. */
export async function readGuestMails({ db, egress }: Deps, token: string) {
  const bookingId = bookingOfGuestMails(egress, token)
  const guest = bookingId && (await selectOptionalGuest(db, bookingId))
  if (!guest) throw refuse('guest_link_invalid')
  const { email, notify, language } = guest
  const none = { bookingId, email: null, language, state: 'none' as MailState }
  if (email === null) return none
  const isOff = await isStopped(db, addressDigests(egress, email))
  const state: MailState = isOff ? 'address_stopped' : notify ? 'on' : 'booking_stopped'
  return { bookingId, email, language, state }
}

/** Stores a recipient's choice about emails. */
export async function chooseMails(deps: Deps, token: string, choice: MailChoice, at: Date) {
  const { bookingId, email } = await readGuestMails(deps, token)
  if (email === null) return
  const { db, egress } = deps
  const addresses = addressDigests(egress, email)
  const [address = Buffer.of()] = addresses
  if (choice === 'address') await insertStop(db, address, at)
  if (choice === 'booking') await updateNotify(db, bookingId, false)
  if (choice !== 'allow') return
  await deleteStop(db, addresses)
  await updateNotify(db, bookingId, true)
}

/** Masks an address so that only its owner recognises it: `b…@g…example`. */
export const maskedAddress = (email: string): string =>
  email.replace(/^(.)[^@]*@(.)[^@]*?(\.[^.@]*)?$/, '$1…@$2…$3')
