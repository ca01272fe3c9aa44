import { networkProfile } from '../../base/network.ts'

const names = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month in words; `month` is YYYY-MM. */
const monthName = (month: string): string => names.format(new Date(`${month}-01T00:00:00Z`))

type Due = { purpose: 'pro' | 'invoice'; month: string; number: string | null }

/** What a payment is for, such as `pro for November 2026`. */
export const dueText = ({ purpose, month, number }: Due): string =>
  purpose === 'pro' ? `pro for ${monthName(month)}` : `invoice ${number} of ${monthName(month)}`

/** The description of a booking's fee. */
export const bookingDescription = (booking: string): string =>
  `${networkProfile.name}: fee for ${booking}`

/** The description on the provider’s page and receipt. */
export const description = (due: Due): string => `${networkProfile.name}: ${dueText(due)}`
