import type { Room } from '../contract/room.ts'

/** Mails to the guest of a booking, and a page to see and cancel it. */
export const guests = { name: 'guests' } as const satisfies Room
