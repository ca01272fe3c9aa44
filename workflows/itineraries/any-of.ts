import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { runGroup } from './group.ts'

/**
 * Tries alternatives in their order, one venue at a time, until one says yes; the others are never
 * held.
 */
export const anyOf = (start: GroupStart): Promise<string> => runGroup(start)
