import { type Html, html } from '../html.ts'
import type { Projection } from './projection.ts'

const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05]
const LINES_WANTED = 4
const LONGEST_BAR = 130
const EDGE = 12

/** Parallels and meridians at round degrees, each with its degrees at the edge. */
export function graticule({ box, width, height, x, y }: Projection): Html {
  const step =
    STEPS.find((one) => (box.east - box.west) / one >= LINES_WANTED) ?? (STEPS.at(-1) as number)
  const meridians = multiples(step, box.west, box.east).map((degrees) => {
    const at = Math.round(x(degrees))
    return html`<path d="M${at} 0v${height}"/><text x="${at + 3}" y="${EDGE}">${degreesOf(degrees, 'E', 'W')}</text>`
  })
  const parallels = multiples(step, box.south, box.north).map((degrees) => {
    const at = Math.round(y(degrees))
    return html`<path d="M0 ${at}h${width}"/><text x="3" y="${at - 3}">${degreesOf(degrees, 'N', 'S')}</text>`
  })
  return html`<g class="graticule" aria-hidden="true">${meridians}${parallels}</g>`
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.max(0, Math.floor(to / step) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}

function degreesOf(degrees: number, positive: string, negative: string): string {
  const size = Number(Math.abs(degrees).toFixed(2))
  return size === 0 ? '0°' : `${size}° ${degrees > 0 ? positive : negative}`
}

/** A line as long as a round number of kilometres in the middle of the map. */
export function scaleBar({ kilometresPerUnit, width, height }: Projection): Html {
  const longest = LONGEST_BAR * kilometresPerUnit
  const power = 10 ** Math.floor(Math.log10(longest))
  const kilometres = ([5, 2, 1].find((digit) => digit * power <= longest) ?? 1) * power
  const length = Math.round(kilometres / kilometresPerUnit)
  return html`<g class="scale" aria-hidden="true"><path d="M${width - EDGE - length} ${height - 18}v6h${length}v-6"/><text x="${width - EDGE - length / 2}" y="${height - 17}" text-anchor="middle">${kilometres.toLocaleString('en')} km</text></g>`
}
