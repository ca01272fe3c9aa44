import type { ServerResponse } from 'node:http'
import { refuse } from '../../contract/rules/errors.ts'
import type { KeyHolder } from '../guards/authentication.ts'

/** A place among the streams of this process; whoever does not use it gives it back. */
export type StreamPlace = { use(stream: ServerResponse): void; giveBack(): void }

/** One account may hold this part of all streams. */
const ACCOUNT_SHARE = 0.1
const RETRY_AFTER_SECONDS = 15

/** The open event streams of this process: so many in all, a tenth of them for one account, ended together. */
export function createOpenStreams(total: number) {
  const places = new Map<StreamPlace, string>()
  const streams = new Set<ServerResponse>()
  const perAccount = Math.max(1, Math.floor(total * ACCOUNT_SHARE))
  let isStopped = false

  return {
    count: () => streams.size,
    /** Throws `too_many_sessions` when one more would pass a cap, and `service_unavailable` once all are being ended. */
    admit({ id }: Pick<KeyHolder, 'id'>): StreamPlace {
      if (isStopped) {
        throw refuse('service_unavailable', 'This process is stopping.', { retry_after: 1 })
      }
      const own = [...places.values()].filter((accountId) => accountId === id).length
      if (places.size >= total || own >= perAccount) {
        throw refuse('too_many_sessions', undefined, { retry_after: RETRY_AFTER_SECONDS })
      }
      const place: StreamPlace = {
        use(stream) {
          // Who has gone already will not go again.
          if (stream.destroyed) return void places.delete(place)
          streams.add(stream)
          stream.on('close', () => {
            streams.delete(stream)
            places.delete(place)
          })
        },
        giveBack: () => void places.delete(place),
      }
      places.set(place, id)
      return place
    },
    /** Admits no more and ends all: whoever follows goes on elsewhere after the last id. */
    async stop(): Promise<void> {
      isStopped = true
      for (const stream of streams) stream.end()
    },
  }
}
