import { type Html, html } from '../html.ts'
import { graticule, scaleBar } from './furniture.ts'
import { labelled, type MapPoint } from './labels.ts'
import { landPath } from './land.ts'
import { projectionAround } from './projection.ts'

const WIDTH = 720
const HEIGHT = 400
/** The coastline is known to half a kilometre. */
const SMALLEST_DEGREES = 0.4

/** A map of these points, drawn here, with nothing from elsewhere; nothing at all without a point. */
export function drawMap(points: readonly MapPoint[], label: string): Html {
  if (points.length === 0) return html``
  const projection = projectionAround(points, {
    width: WIDTH,
    height: HEIGHT,
    smallest: SMALLEST_DEGREES,
  })
  return html`<div class="chart scroll" role="region" aria-label="${label}" tabindex="0"><svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<path class="land" d="${landPath(projection)}"/>
${graticule(projection)}${labelled(points, projection)}${scaleBar(projection)}
</svg></div>`
}
