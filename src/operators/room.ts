import type { Room } from '../contract/room.ts'

/** Search, accounts, stuck work and operators' acts across all accounts. */
export const operators = { name: 'operators' } as const satisfies Room
