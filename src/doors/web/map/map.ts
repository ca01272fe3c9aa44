import { type Html, html } from '../html.ts'
import { graticule, scaleBar } from './furniture.ts'
import { labelled } from './labels.ts'
import { landPath } from './land.ts'
import { type Place, projectionAround } from './projection.ts'

/** A dot on the map: `weight` 0 to 1 makes it larger, `href` a link. */
export type MapPoint = Place & { name: string; href: string | null; weight: number }

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
