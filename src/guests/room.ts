import type { Room } from '../contract/room.ts'

/** Emails to the guest of a booking, and a page on which the guest can see and cancel it. */
export const guests = { name: 'guests' } as const satisfies Room
