/** Spaces between two columns. */
export const GAP = 2

/** A column's natural and minimum width, and whether it may be dropped, highest number first. */
export type ColumnWidths = { natural: number; least: number; dispensable?: number | undefined }

const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1)

/**
 * Column widths so that a line fits into `width`; 0 for a dropped column. Dispensable columns are
 * dropped first, then the widest shrink; if even the minimum widths do not fit, the last columns
 * are cut at the edge.
 */
export function fitColumns(columns: readonly ColumnWidths[], width: number): number[] {
  const visible = keepEssential(columns, width)
  const widths = visible.map(({ natural }) => natural)
  for (let excess = total(widths) - width; excess > 0; excess -= 1) {
    const [widest] = widths
      .map((one, index) => ({ one, index }))
      .filter(({ one, index }) => one > (visible[index]?.least ?? 0))
      .sort((a, b) => b.one - a.one)
    if (!widest) break
    widths[widest.index] = widest.one - 1
  }
  atTheEdge(widths, width)
  return columns.map((column) => widths[visible.indexOf(column)] ?? 0)
}

function keepEssential(columns: readonly ColumnWidths[], width: number): ColumnWidths[] {
  let visible = [...columns]
  while (total(visible.map(({ least }) => least)) > width) {
    const [goes] = visible
      .filter(({ dispensable }) => dispensable !== undefined)
      .sort((a, b) => (b.dispensable ?? 0) - (a.dispensable ?? 0))
    if (!goes) break
    visible = visible.filter((column) => column !== goes)
  }
  return visible
}

/** Cuts off the columns beyond the edge, in place. */
function atTheEdge(widths: number[], width: number): void {
  let remaining = width
  for (const [index, one] of widths.entries()) {
    const fits = Math.max(0, Math.min(one, remaining))
    widths[index] = fits
    remaining -= fits + GAP
  }
}
