const ANSWER_MS = 1_000

/** Reads for a scrape; undefined if that fails or takes over a second. */
export function withinScrape<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((answer) => setTimeout(answer, ANSWER_MS, undefined).unref())
  return Promise.race([reading.catch(() => undefined), late])
}
