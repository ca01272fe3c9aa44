import type { Services } from '../../contract/operation.ts'
import { countEndpointStates, selectEndpointTroubles } from '../store/endpoint-troubles.ts'

/** An account's endpoints by state, and those in trouble; null if it has no endpoints. */
export async function readEndpointHealth({ db }: Pick<Services, 'db'>, accountId: string) {
  const [counts, troubles] = await Promise.all([
    countEndpointStates(db, accountId),
    selectEndpointTroubles(db, accountId),
  ])
  const { all, ...states } = counts
  return all === 0 ? null : { ...states, troubles }
}
