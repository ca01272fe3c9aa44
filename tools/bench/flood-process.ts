import { paced } from './paced.ts'

/** What a flood sends: requests in this order, again and again. */
export type Flood = {
  url: string
  requests: readonly { path: string; authorization?: string }[]
  callers: number
  perSecond: number
  seconds: number
}

/** How often each status was returned; 0 where there was no answer. */
export type Flooded = Record<number, number>

// A process of its own, so that the flood does not delay the calls that are measured.
process.once('message', async ({ url, requests, ...pace }: Flood) => {
  const statuses: Flooded = {}
  await paced(pace, async (n) => {
    const { path = '', authorization } = requests[n % requests.length] ?? {}
    const status = await fetch(url + path, {
      headers: authorization ? { authorization } : {},
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  process.send?.(statuses)
  process.disconnect()
})
