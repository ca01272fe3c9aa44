import type { Config } from '../../config/config.ts'
import type { LatLng } from '../../venues/store/venue-scopes.ts'
import { type Html, html } from '../page/html.ts'

/** A server of map tiles: `url` has `{z}`, `{x}` and `{y}`. Without words, the map is OSM’s. */
export type Tiles = { url: string; attribution: string | undefined }

const SIZE = { width: 720, height: 400 }
const TILE = 256
/** Streets have names, and a venue is in the middle of about three kilometres. */
const ZOOM = 15
const COUNT = 2 ** ZOOM
const RADIUS = 9

const openStreetMap = html`<a href="https://www.openstreetmap.org/copyright"
>© OpenStreetMap contributors</a>`

/** The tiles that an operator configured. */
export const tilesOf = ({ MAP_TILES_URL, MAP_ATTRIBUTION }: Config): Tiles | null =>
  MAP_TILES_URL === undefined ? null : { url: MAP_TILES_URL, attribution: MAP_ATTRIBUTION }

/** The origin that a page with these tiles loads pictures from. */
export const originOf = ({ url }: Tiles): string => new URL(url.replaceAll(/[{}]/g, '')).origin

/** A map of streets around a place, which works without scripts. */
export function tileMap({ url, attribution }: Tiles, place: LatLng, label: string): Html {
  const { width, height } = SIZE
  const [x, y] = pixelOf(place)
  const [west, north] = [x - width / 2, y - height / 2]
  const tiles = columns(west, width).flatMap((column) =>
    columns(north, height).map((row) => {
      const address = url
        .replace('{z}', `${ZOOM}`)
        .replace('{x}', `${((column % COUNT) + COUNT) % COUNT}`)
        .replace('{y}', `${row}`)
      const [left, top] = [column * TILE - west, row * TILE - north].map(Math.round)
      return html`<image href="${address}" x="${left}" y="${top}"
width="${TILE}" height="${TILE}"/>`
    }),
  )
  return html`<svg class="map" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${tiles}<g class="dot"><circle cx="${width / 2}" cy="${height / 2}" r="${RADIUS}"/></g></svg>
<p class="quiet">${attribution ?? openStreetMap}</p>`
}

/** Where a place is on the map of the world at this zoom (Web Mercator, EPSG:3857). */
function pixelOf({ latitude, longitude }: LatLng): readonly [x: number, y: number] {
  const radians = (latitude * Math.PI) / 180
  const size = TILE * COUNT
  return [
    ((longitude + 180) / 360) * size,
    ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * size,
  ]
}

/** The tiles that a stretch of pixels touches. */
function columns(from: number, length: number): number[] {
  const first = Math.floor(from / TILE)
  const last = Math.floor((from + length - 1) / TILE)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
