import type { GuestWords } from './format-guest-mail.ts'

const CHARGED = 'charged to the agent that booked for you'

export const english: GuestWords = {
  locale: 'en-GB',
  clock: ':',
  party: (guests) => (guests === 1 ? '1 guest' : `${guests} guests`),
  mail: {
    subject: {
      confirmed: 'Confirmed',
      amended: 'Changed',
      cancelled: 'Cancelled',
      declined: 'Not booked',
      reminder: 'Reminder',
    },
    opening: {
      confirmed: 'Your booking is confirmed.',
      amended: 'Your booking has changed. This is how it is now.',
      cancelled: 'Your booking is cancelled. Nothing is booked any more.',
      declined: 'Your request could not be confirmed. Nothing is booked.',
      reminder: 'A reminder of your booking.',
    },
    byVenue: 'The venue had to cancel your booking. Nothing is booked any more.',
    rule: ({ fee, amount, until }) =>
      fee === 'none' || until === null
        ? 'Cancelling costs nothing.'
        : `Cancelling is free until ${until}. After that a fee of ${amount} is ${CHARGED}.`,
    page: 'See it, add it to your calendar or cancel it:',
    stop: (network) =>
      `An agent booked this for you on ${network} and gave this address. If this was not you, or ` +
      'you want no more mails:',
  },
  status({ status, cancelledBy, answerBy }) {
    const by = answerBy ? ` by ${answerBy}` : ''
    switch (status) {
      case 'pending':
        return `Not confirmed yet. The venue answers${by}.`
      case 'offered':
        return `The venue proposes another time. Nothing is booked unless your agent accepts${by}.`
      case 'confirmed':
        return 'Confirmed.'
      case 'completed':
        return 'This visit is over.'
      case 'no_show':
        return 'The venue reported that nobody came.'
      case 'cancelled':
        return cancelledBy === 'venue' ? 'Cancelled by the venue.' : 'Cancelled.'
      default:
        return 'Not confirmed. Nothing is booked.'
    }
  },
  labels: {
    when: 'When',
    proposed: 'Proposed',
    requested: 'Requested',
    party: 'Party',
    where: 'Where',
    name: 'Name',
    number: 'Booking',
  },
  demo: 'Demo venue. No one is expecting you.',
  calendar: 'Add to calendar',
  rules: {
    title: 'Cancelling',
    now: ({ fee, amount, until }) =>
      fee === 'kept'
        ? `Cancelling was free until ${until}. If you cancel now, a fee of ${amount} is ${CHARGED}.`
        : 'Cancelling now is free.',
  },
  deposit: ({ kind, amount, kept_when, how_to_pay }) =>
    [
      kind === 'deposit'
        ? `The venue asks for a deposit of ${amount}. You pay it to the venue, not to us.`
        : `The venue asks for a card guarantee of ${amount}. You give it to the venue, not to us.`,
      how_to_pay === undefined ? undefined : `How: ${how_to_pay}`,
      kept_when === undefined ? undefined : `The venue keeps it: ${kept_when}`,
    ].filter((line) => line !== undefined),
  cancel: {
    link: 'Cancel this booking',
    question: 'Cancel this booking?',
    yes: 'Yes, cancel it',
    no: 'No, keep it',
    done: 'The booking is cancelled.',
    recorded: 'Your cancellation is recorded. Refresh this page in a moment.',
    tooLate: 'This booking can no longer be cancelled.',
    changed: 'The booking or its terms have changed meanwhile. Please look again.',
  },
  mails: {
    title: 'Mails about your booking',
    about: (address) => `Mails about this booking go to ${address}.`,
    stopBooking: 'Stop mails about this booking',
    stopAddress: 'Stop all mails to this address',
    bookingStopped: 'No more mails are sent about this booking.',
    addressStopped: 'No more mails about any booking are sent to this address.',
    allow: 'Allow mails again',
    none: 'No mails are sent about this booking.',
  },
  skip: 'Skip to the content',
  otherLanguage: { code: 'id', name: 'Bahasa Indonesia' },
}
