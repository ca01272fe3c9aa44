import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { runGroup } from './group.ts'

/**
 * Books all parts or none: holds them, asks the venues that answer for themselves, then books all
 * at once or gives all back.
 */
export const itinerary = (start: GroupStart): Promise<string> => runGroup(start)
