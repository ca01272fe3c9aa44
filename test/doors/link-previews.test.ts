import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pictureSvg } from '../../src/doors/web/share/picture-svg.ts'
import { renderPicture } from '../../src/doors/web/share/render-picture.ts'
import { wrapText } from '../../src/doors/web/share/wrap-text.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const venue = 'angin-laut-sushi-canggu'
let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const pages = [
  ...['/', '/venues', '/docs', '/docs/mcp', '/reference/', '/errors', '/status', '/terms'],
  ...['/sign-in', '/sign-up', '/docs/find?q=webhooks', '/nothing-here', '/venues/nowhere'],
]

/** The width and height in the header of a PNG. */
const sizeOf = (png: Buffer) => {
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

describe('a link to a page', () => {
  test.each([...pages, `/venues/${venue}`])('%s has a title, words and a picture', async (path) => {
    const text = await (await fetch(doors.url + path, { headers: { accept: 'text/html' } })).text()
    const found = text.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)
    const tags = Object.fromEntries([...found].map(([, name, value]) => [name, value]))
    const [, title] = /<title>([^<]+)</.exec(text) ?? []
    expect(tags).toMatchObject({ title, type: 'website', url: PUBLIC_URL + path })
    expect(tags.description?.length).toBeGreaterThan(20)
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">')
    const picture = await fetch((tags.image ?? '').replace(PUBLIC_URL, doors.url))
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(sizeOf(Buffer.from(await picture.arrayBuffer()))).toEqual([1200, 630])
  })
})

describe('a picture', () => {
  const pictureOf = (path: string) => fetch(doors.url + path, { redirect: 'manual' })

  test('is drawn once, and not sent again to whoever has it', async () => {
    const first = await pictureOf(`/share/venues/${venue}.png`)
    const etag = first.headers.get('etag') ?? ''
    const again = await fetch(`${doors.url}/share/venues/${venue}.png`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  })

  test('of no venue is not found', async () => {
    expect((await pictureOf('/share/venues/nowhere.png')).status).toBe(404)
  })

  test('shows the words, not a blank', async () => {
    const words = { text: 'a', label: 'b', kind: 'bar' } as const
    const some = await renderPicture(pictureSvg({ ...words, title: 'Bếp Trúc Xanh' }))
    const others = await renderPicture(pictureSvg({ ...words, title: 'Tirta Sari Spa' }))
    expect(some.equals(others)).toBe(false)
  })

  test('takes any text of a venue', async () => {
    const title = '</text><script>&"\u0000\u000b\ud800 寿司 🍣'.repeat(20)
    const png = await renderPicture(
      pictureSvg({ title, text: title.repeat(10), label: title, kind: 'spa' }),
    )
    expect(sizeOf(png)).toEqual([1200, 630])
  })

  test.each([
    ['Short', ['Short']],
    ['one two three four five six seven eight', ['one two three', 'four five six…']],
    ['Donaudampfschifffahrtsgesellschaftskapitän', ['Donaudampfsch…']],
    ['  any \n space  ', ['any space']],
  ])('breaks and cuts %j', (text, lines) => {
    expect(wrapText(text, 9, 2)).toEqual(lines)
  })
})
