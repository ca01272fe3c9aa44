import pg from 'pg'

type Query = (this: pg.Client, statement: string | pg.QueryConfig, ...rest: unknown[]) => unknown

/**
 * Counts this process's round trips to PostgreSQL until `stop`. A statement sent while its
 * connection still waits for an answer travels with those before it.
 */
export function watchRoundTrips() {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  const unanswered = new WeakMap<pg.Client, number>()
  const trips: string[][] = []
  prototype.query = function (statement, ...rest) {
    const waiting = unanswered.get(this) ?? 0
    if (waiting === 0) trips.push([])
    const text = typeof statement === 'string' ? statement : statement.text
    trips.at(-1)?.push(text.replaceAll(/\s+/g, ' ').slice(0, 100))
    unanswered.set(this, waiting + 1)
    const answer = query.call(this, statement, ...rest)
    const answered = () => unanswered.set(this, (unanswered.get(this) ?? 1) - 1)
    Promise.resolve(answer).then(answered, answered)
    return answer
  }
  return {
    /** The statements of each round trip since the last call. */
    take: () => trips.splice(0),
    stop() {
      prototype.query = query
    },
  }
}
