/** Days that an invoice may be paid in. */
export const PAYMENT_DAYS = 14

export const invoiceStatuses = ['open', 'paid', 'void'] as const

/** The first instant of the month (UTC) of a time: the months before it are over. */
export const monthStart = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))

/** The first instant of the month after that of a time. */
export const nextMonth = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
