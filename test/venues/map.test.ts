import { describe, expect, test } from 'vitest'
import { landPath } from '../../src/doors/web/map/land.ts'
import { drawMap } from '../../src/doors/web/map/map.ts'
import { projectionAround } from '../../src/doors/web/map/projection.ts'
import { demoAreas } from '../../src/venues/demo/venues.ts'

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

test('a map of nothing is empty', () => {
  expect(drawMap([], 'None').markup).toBe('')
})
