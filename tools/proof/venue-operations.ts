import { groupOperations } from './group-operations.ts'
import type { VenueOperation } from './venue-operation.ts'
import { watchOperations } from './watch-operations.ts'

export const venueOperations: readonly VenueOperation[] = [...watchOperations, ...groupOperations]
