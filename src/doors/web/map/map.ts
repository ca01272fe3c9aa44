import { type Html, html } from '../html.ts'
import { labelled, type MapPoint } from './labels.ts'
import { landPath } from './land.ts'
import { type Projection, projectionAround } from './projection.ts'

const SIZE = { width: 720, height: 400 }
/** The coastline is off by up to 3 km: at most the width of a dot on a map of this many degrees. */
const SMALLEST_DEGREES = 3
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]
const SMALLEST_STEP = 0.05
const MIN_LINES = 4
const MAX_BAR = 130
const EDGE = 12

/** A map of these points as SVG; nothing without a point. */
export function drawMap(points: readonly MapPoint[], label: string): Html {
  if (points.length === 0) return html``
  const projection = projectionAround(points, { ...SIZE, smallest: SMALLEST_DEGREES })
  return html`<div class="chart scroll" role="region" aria-label="${label}" tabindex="0"
><svg class="map" viewBox="0 0 ${SIZE.width} ${SIZE.height}">
<path class="land" d="${landPath(projection)}"/>
${graticule(projection)}${labelled(points, projection)}${scaleBar(projection)}
</svg></div>`
}

/** Parallels and meridians at round degrees, with labels at the edge. */
function graticule({ box, width, height, x, y }: Projection): Html {
  const step = STEPS.find((one) => (box.east - box.west) / one >= MIN_LINES) ?? SMALLEST_STEP
  const meridians = multiples(step, box.west, box.east).map((degrees) => {
    const at = Math.round(x(degrees))
    return html`<path d="M${at} 0v${height}"/>
<text x="${at + 3}" y="${EDGE}">${degreesText(degrees, 'E', 'W')}</text>`
  })
  const parallels = multiples(step, box.south, box.north).map((degrees) => {
    const at = Math.round(y(degrees))
    return html`<path d="M0 ${at}h${width}"/>
<text x="3" y="${at - 3}">${degreesText(degrees, 'N', 'S')}</text>`
  })
  return html`<g class="graticule" aria-hidden="true">${meridians}${parallels}</g>`
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step)
  const length = Math.max(0, Math.floor(to / step) - first + 1)
  return Array.from({ length }, (_, index) => (first + index) * step)
}

function degreesText(degrees: number, positive: string, negative: string): string {
  const size = Number(Math.abs(degrees).toFixed(2))
  return size === 0 ? '0°' : `${size}° ${degrees > 0 ? positive : negative}`
}

/** A round number of kilometres in the middle of the map. */
function scaleBar({ kilometresPerUnit, width, height }: Projection): Html {
  const longest = MAX_BAR * kilometresPerUnit
  const power = 10 ** Math.floor(Math.log10(longest))
  const kilometres = ([5, 2, 1].find((digit) => digit * power <= longest) ?? 1) * power
  const length = Math.round(kilometres / kilometresPerUnit)
  const right = width - EDGE
  const text = `${kilometres.toLocaleString('en')} km`
  return html`<g class="scale" aria-hidden="true">
<path d="M${right - length} ${height - 18}v6h${length}v-6"/>
<text x="${right - length / 2}" y="${height - 17}" text-anchor="middle">${text}</text></g>`
}
