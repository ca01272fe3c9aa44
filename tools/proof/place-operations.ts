import { groupOperations } from './group-operations.ts'
import type { PlaceOperation } from './place.ts'
import { watchOperations } from './watch-operations.ts'

export const placeOperations: readonly PlaceOperation[] = [...watchOperations, ...groupOperations]
