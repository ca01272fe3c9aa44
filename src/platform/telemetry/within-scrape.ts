const ANSWER_MS = 1_000

/** A value for a scrape; undefined if reading it fails or takes over a second. */
export function withinScrape<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((answer) => setTimeout(answer, ANSWER_MS, undefined).unref())
  return Promise.race([reading.catch(() => undefined), late])
}
