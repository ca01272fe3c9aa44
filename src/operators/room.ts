import type { Room } from '../contract/room.ts'

/** Search, accounts, stuck work and operators' actions across all accounts. */
export const operators = { name: 'operators' } as const satisfies Room
