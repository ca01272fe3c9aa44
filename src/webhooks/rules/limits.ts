import { callerThrottle } from '../../base/throttle.ts'

/** Maximum endpoints per account that an operator can allow. Each receives every event. */
export const MAX_ENDPOINTS = 50
/** Default limit of endpoints per account. */
export const USUAL_ENDPOINTS = 10

/** Maximum secrets that sign for one endpoint at the same time. */
export const MAX_SIGNING_KEYS = 10

/** Maximum custom headers per endpoint. */
export const MAX_HEADERS = 20

/** Each new endpoint starts a workflow, and deleting endpoints makes room for new ones. */
export const endpointsCreated = callerThrottle('endpoints', 86_400, {
  account: 200,
  address: 1_000,
})

/** Each test event stays in the ledger and causes a request. */
export const testEventsSent = callerThrottle('test events', 3_600, { account: 200, address: 1_000 })
