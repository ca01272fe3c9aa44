/** Days until an invoice is due. */
export const PAYMENT_DAYS = 14

export const invoiceStatuses = ['open', 'paid', 'void'] as const

/** The first instant (UTC) of the month that contains `at`. */
export const monthStart = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))

/** The first instant (UTC) of the month after the one that contains `at`. */
export const nextMonth = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
