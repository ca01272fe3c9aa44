import autocannon from 'autocannon'

/** The requests in a flood, repeated in this order. */
export type Flood = {
  url: string
  requests: readonly { path: string; authorization?: string }[]
  callers: number
  perSecond: number
  seconds: number
}

/** The number of answers per status. */
export type Flooded = Record<number, number>

// A separate process, so that the flood does not delay the measured calls.
process.on('message', async ({ url, requests, callers, perSecond, seconds }: Flood) => {
  const list = requests.map(({ path, authorization }) => ({
    method: 'GET' as const,
    path,
    headers: authorization ? { authorization } : {},
  }))
  // No two callers send the same requests.
  const each = Math.floor(list.length / callers)
  let first = 0
  const { statusCodeStats = {} } = await autocannon({
    url,
    connections: callers,
    overallRate: perSecond,
    duration: seconds,
    requests: list.slice(0, each),
    setupClient(client) {
      client.setRequests(list.slice(first, first + each))
      first += each
    },
  })
  const counts = Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count])
  process.send?.(Object.fromEntries(counts))
})
