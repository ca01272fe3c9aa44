import { describe, expect, test } from 'vitest'
import { landPath } from '../../src/doors/web/map/land.ts'
import { drawMap } from '../../src/doors/web/map/map.ts'
import { projectionAround } from '../../src/doors/web/map/projection.ts'
import { demoAreas, demoVenues } from '../../src/venues/demo/venues.ts'

const size = { width: 720, height: 400, smallest: 0.4 }
const bali = { latitude: -8.45, longitude: 115.2 }

describe('a projection', () => {
  test('shows all of its places, with a margin', () => {
    const projection = projectionAround(demoAreas, size)
    for (const { latitude, longitude } of demoAreas) {
      expect(projection.x(longitude)).toBeGreaterThan(20)
      expect(projection.x(longitude)).toBeLessThan(size.width - 20)
      expect(projection.y(latitude)).toBeGreaterThan(20)
      expect(projection.y(latitude)).toBeLessThan(size.height - 20)
    }
  })

  test('is no narrower than the coastline’s resolution, and true to scale in its middle', () => {
    const { box, kilometresPerUnit } = projectionAround([bali], size)
    expect(box.east - box.west).toBeCloseTo(0.4)
    expect(kilometresPerUnit * size.width).toBeCloseTo(
      0.4 * 111.32 * Math.cos((8.45 * Math.PI) / 180),
    )
  })
})

describe('land', () => {
  const isLand = (latitude: number, longitude: number) => {
    const here = [{ latitude, longitude }]
    return landPath(projectionAround(here, { width: 10, height: 10, smallest: 0.01 })) !== ''
  }

  test.each([
    ['Ubud', -8.5069, 115.2625, true],
    ['Bangkok', 13.75, 100.5, true],
    ['the Java Sea', -5.5, 111, false],
    ['the Pacific', 0, 160, false],
  ])('%s', (_, latitude, longitude, land) => {
    expect(isLand(latitude, longitude)).toBe(land)
  })

  test('that fills the map is drawn to its edges', () => {
    const path = landPath(projectionAround([{ latitude: 60, longitude: 100 }], size))
    expect(path).toMatch(/^M-?\d+[ -]\d+l[\d -]+z$/)
    expect(path.length).toBeLessThan(200)
  })
})

test('a map of the whole network is small, and has every place once', () => {
  const points = demoAreas.map((area) => ({ ...area, href: `/${area.slug}`, weight: 0.5 }))
  const { markup } = drawMap(points, 'All')
  expect(markup.length).toBeLessThan(60_000)
  expect(markup.match(/class="dot"/g)).toHaveLength(points.length)
  expect(markup).not.toContain('NaN')
})

test('no demo venue lies further in the sea of its map than its dot reaches', () => {
  for (const venue of demoVenues()) {
    const { markup } = drawMap([{ ...venue, href: null, weight: 1 }], venue.name)
    const [, ...dot] = /cx="(\d+)" cy="(\d+)" r="(\d+)"/.exec(markup) ?? []
    const [x = 0, y = 0, radius = 0] = dot.map(Number)
    const [, path = ''] = / d="(M[^"]*)"/.exec(markup) ?? []
    const reach = islands.has(venue.area_slug) ? ISLAND_REACH : radius
    expect([venue.slug, isNearLand(path, [x, y], reach)]).toEqual([venue.slug, true])
  }
})

/** Islands too small for the coastline; their dot stands for them, off the coast that is drawn. */
const islands = new Set(['gili-trawangan', 'gili-air', 'gili-meno', 'nusa-lembongan'])
const ISLAND_REACH = 20

/** Whether land of the path is within `reach` of the point: inside an outline, or a line near. */
function isNearLand(path: string, [x, y]: [number, number], reach: number): boolean {
  const rings = path.split('z').filter(Boolean).map(pointsOf)
  const sides = Array.from({ length: 32 }, (_, nth) => (nth / 16) * Math.PI)
  const around = [0, 0.5, 1].flatMap((share) =>
    sides.map((angle): [number, number] => [
      x + Math.cos(angle) * reach * share,
      y + Math.sin(angle) * reach * share,
    ]),
  )
  return around.some((point) => rings.filter((ring) => isWithin(ring, point)).length % 2 === 1)
}

function pointsOf(ring: string): [number, number][] {
  const [first = 0, second = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number)
  const points: [number, number][] = [[first, second]]
  for (let at = 0; at < steps.length; at += 2) {
    const [x, y] = points.at(-1) ?? [0, 0]
    points.push([x + (steps[at] ?? 0), y + (steps[at + 1] ?? 0)])
  }
  return points
}

const isWithin = (ring: [number, number][], [x, y]: [number, number]) =>
  ring.filter(([x1, y1], nth) => {
    const [x2, y2] = ring.at(nth - 1) ?? [0, 0]
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1
  }).length %
    2 ===
  1

test('a map of nothing is empty', () => {
  expect(drawMap([], 'None').markup).toBe('')
})
