/** Endpoints per account. */
export const MAX_ENDPOINTS = 50

/** Secrets of one endpoint that sign at the same time. */
export const MAX_SIGNING_KEYS = 10

/** Custom headers per endpoint. */
export const MAX_HEADERS = 20
