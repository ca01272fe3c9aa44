import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { tileMap } from '../../src/web/site/street-map.ts'
import { openDoors } from '../support/open-doors.ts'

const url = 'https://tiles.example/{z}/{x}/{y}.png'
const VENUE = '/venues/angin-laut-sushi-canggu'
const browser = { accept: 'text/html' }

test('a place is in the middle of the tiles around it', () => {
  const monas = { latitude: -6.1754, longitude: 106.8272 }
  const { markup } = tileMap({ url, attribution: undefined }, monas, 'Monas')
  const tiles = [...markup.matchAll(/\/15\/(\d+)\/(\d+)\.png" x="(-?\d+)" y="(-?\d+)"/g)]
  const under = tiles.filter(([, , , x, y]) => {
    const [left, top] = [Number(x), Number(y)]
    return left <= 360 && left > 360 - 256 && top <= 200 && top > 200 - 256
  })
  // The tile of Monas, by the formula of the OpenStreetMap wiki.
  expect(under.map(([, column, row]) => [column, row])).toEqual([['26107', '16947']])
  expect(tiles.length).toBeGreaterThanOrEqual(6)
  expect(markup).toContain('© OpenStreetMap contributors')
})

test('only tiles of the configured server are loaded from elsewhere without a script', async () => {
  const doors = await openDoors({ MAP_TILES_URL: url, MAP_ATTRIBUTION: '© Tiles & Sons' })
  const answer = await fetch(doors.url + VENUE, { headers: browser })
  const text = await answer.text()
  const list = await fetch(`${doors.url}/venues`, { headers: browser })
  await doors.close()
  expect(text).toMatch(/<image href="https:\/\/tiles\.example\/15\/\d+\/\d+\.png"/)
  expect(text).toContain('© Tiles &amp; Sons')
  const policy = answer.headers.get('content-security-policy')
  expect(policy).toContain("img-src 'self' data: https://tiles.example;")
  expect(answer.headers.get('referrer-policy')).toBe('strict-origin')
  expect(list.headers.get('content-security-policy')).not.toContain('tiles.example')
})

test('without a server of tiles nothing is loaded from elsewhere: a map is linked', async () => {
  const doors = await openDoors()
  const answer = await fetch(doors.url + VENUE, { headers: browser })
  const text = await answer.text()
  await doors.close()
  expect(text).toContain('href="https://www.openstreetmap.org/?mlat=')
  expect(text).not.toContain('<image')
  expect(answer.headers.get('content-security-policy')).toContain("img-src 'self' data:;")
})

test.each(['https://tiles.example/', 'ftp://t.example/{z}/{x}/{y}', '{z}/{x}/{y}'])(
  'an address of tiles that cannot work is refused at the start: %s',
  (MAP_TILES_URL) => {
    expect(() => readConfig({ MAP_TILES_URL })).toThrow('MAP_TILES_URL')
  },
)
