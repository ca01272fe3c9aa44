import type { Room } from '../contract/room.ts'

/** What the guest of a booking gets: mails, and a page to see and cancel it. */
export const guests = { name: 'guests' } as const satisfies Room
