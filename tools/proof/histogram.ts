/** Counts by name. */
export type Histogram = Map<string, number>

export function addTo(histogram: Histogram, what: string): void {
  histogram.set(what, (histogram.get(what) ?? 0) + 1)
}

export const total = (histogram: Histogram): number =>
  histogram.values().reduce((sum, times) => sum + times, 0)
