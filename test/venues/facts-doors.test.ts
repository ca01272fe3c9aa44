import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { guestPageUrl } from '../../src/bookings/steps/guest-link.ts'
import { bookedFor, openPostOffice, wanting } from '../support/guests.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

const SLUG = 'padi-warung-seminyak'
const place = {
  address: { street: 'Jl. Kayu Aya 12, lantai 2', locality: 'Seminyak', postcode: '80361' },
  phone: '+623610566827',
  website: 'https://padi.example/',
  menu_url: 'https://padi.example/menu',
  photos: [{ url: 'https://padi.example/a.jpg', credit: 'Made <b>Padi</b>' }],
  cuisine: ['balinese'],
  facts: { wheelchair: 'yes', pets: 'no' },
}
const directions = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
  const to = `${latitude.toFixed(5)}%2C${longitude.toFixed(5)}`
  return `https://www.openstreetmap.org/directions?to=${to}`
}

let doors: Doors
let key: string
let start: BookingStart

const setPlace = (column: 'slug' | 'id', value: string, fields: object) =>
  doors.db.query(
    `update venue v set address = n.address, phone = n.phone, website = n.website,
       menu_url = n.menu_url, photos = n.photos, cuisine = n.cuisine, facts = n.facts
     from jsonb_to_record($2) as n (address jsonb, phone text, website text, menu_url text,
       photos jsonb, cuisine text[], facts jsonb)
     where v.${column}::text = $1`,
    [value, JSON.stringify(fields)],
  )

beforeAll(async () => {
  doors = await openDoors()
  key = (await doors.openAccount('pro')).key
  await setPlace('slug', SLUG, place)
  start = await bookedFor(doors.db, wanting())
  await setPlace('id', start.venueId, place)
})
afterAll(() => doors?.close())

const get = (path: string) => fetch(doors.url + path, { headers: bearer(key) })
const text = async (path: string) => (await get(path)).text()

describe('a venue', () => {
  test('has its place and facts in REST and MCP, the unknown apart from no', async () => {
    await using client = await openMcpClient(doors.url, key)
    const result = await client.callTool({ name: 'get_venue', arguments: { venue: SLUG } })
    const [content] = result.content as { text: string }[]
    const { venue } = await jsonOf(await get(`/api/venues/${SLUG}`))
    expect(JSON.parse(content?.text ?? '').venue).toMatchObject({ address: place.address })
    const { facts, ...others } = place
    expect(venue).toMatchObject(others)
    expect(venue.opening_hours).toMatch(/^(Mon|Tue|Wed)-Sun \d\d:\d\d-\d\d:\d\d/)
    expect(venue.facts).toMatchObject({ yes: ['wheelchair'], no: ['pets'] })
    expect(venue.facts.unknown).toHaveLength(11)
    const full = await jsonOf(await get(`/api/venues/${SLUG}?detail=full`))
    expect(full.venue).toMatchObject({ ...others, facts })
  })

  test('is short in lists: its street, and only the facts that were asked for', async () => {
    const search = (more: string) => get(`/api/venues/search?query=padi+warung+seminyak${more}`)
    const [plain] = (await jsonOf(await search(''))).venues
    expect(plain.street).toBe(place.address.street)
    for (const field of ['phone', 'address', 'photos', 'facts', 'website']) {
      expect(plain).not.toHaveProperty(field)
    }
    const asked = await jsonOf(await search('&facts=wheelchair&facts=no_smoking'))
    expect(asked.venues[0].facts).toEqual({ wheelchair: 'yes', smoking: 'unknown' })
    expect(asked.interpretation.facts).toEqual(['wheelchair', 'no_smoking'])
    for (const form of ['pets', 'Pets', '["pets"]']) {
      const [one] = (await jsonOf(await search(`&facts=${encodeURIComponent(form)}`))).venues
      expect(one.facts, form).toEqual({ pets: 'no' })
    }
    const [two] = (await jsonOf(await search('&facts=pets,no_smoking'))).venues
    expect(two.facts).toEqual({ pets: 'no', smoking: 'unknown' })
    const refused = await search('&facts=pony')
    expect(refused.status).toBe(400)
    const pages: { facts: { wheelchair: string }; slug: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `area=Seminyak&facts=wheelchair&limit=2${cursor && `&cursor=${cursor}`}`
      const page = await jsonOf(await get(`/api/venues?${query}`))
      pages.push(...page.venues)
      cursor = page.next_cursor
    }
    const known = pages.map(({ facts }) => facts.wheelchair)
    expect(known).toEqual(known.toSorted((one, other) => other.localeCompare(one)))
    expect(new Set(known)).toEqual(new Set(['yes', 'unknown']))
    const { venues } = await jsonOf(await get('/api/venues?area=Seminyak&limit=50&detail=full'))
    const suitable = venues.filter(
      (one: { facts: { wheelchair?: string } }) => one.facts.wheelchair !== 'no',
    )
    expect(pages).toHaveLength(suitable.length)
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(suitable.length)
    const free = `/api/venues?area=Seminyak&facts=wheelchair&party_size=2&limit=50`
    for (const { facts } of (await jsonOf(await get(free))).venues) {
      expect(facts.wheelchair).not.toBe('no')
    }
  })

  test('is shown on its page, with linked data for crawlers', async () => {
    const page = await text(`/venues/${SLUG}`)
    expect(page).toContain('href="tel:+623610566827"')
    expect(page).toContain('Jl. Kayu Aya 12, lantai 2, Seminyak 80361, Bali')
    expect(page).toContain('Not known, ask the venue')
    expect(page).toContain('(Made &lt;b&gt;Padi&lt;/b&gt;)')
    // Photographs are links: nothing is loaded from other sites.
    expect(page).not.toMatch(/<img[^>]+padi/)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
    expect(json).not.toContain('<b>')
    expect(JSON.parse(json)).toMatchObject({
      address: {
        streetAddress: place.address.street,
        addressLocality: 'Seminyak',
        postalCode: '80361',
      },
      telephone: place.phone,
      sameAs: place.website,
      hasMenu: place.menu_url,
      servesCuisine: ['balinese'],
      image: [{ '@type': 'ImageObject', url: place.photos[0]?.url }],
      amenityFeature: [
        { '@type': 'LocationFeatureSpecification', name: 'Wheelchair access', value: true },
        { '@type': 'LocationFeatureSpecification', name: 'Pets', value: false },
      ],
    })
    const markdown = await text(`/venues/${SLUG}.md`)
    expect(markdown).toContain('Jl. Kayu Aya 12, lantai 2')
    expect(markdown).toMatch(/Yes: Wheelchair access/)
  })
})

describe('a booking', () => {
  test('says where it is and whom to call', async () => {
    const { rows } = await doors.db.query('select latitude, longitude from venue where id = $1', [
      start.venueId,
    ])
    const own = { ...rows[0], address: place.address, phone: place.phone }
    const owner = await addKey(doors.db, start.accountId)
    const answer = await fetch(`${doors.url}/api/bookings/${start.bookingId}`, {
      headers: bearer(owner.key),
    })
    const { booking } = await jsonOf(answer)
    expect(booking.place).toEqual({ ...own, directions_url: directions(rows[0]) })
    const list = await fetch(`${doors.url}/api/bookings`, { headers: bearer(owner.key) })
    expect((await jsonOf(list)).bookings[0].place).toEqual(booking.place)
  })

  test('has the street in the calendar file and the phone beside it', async () => {
    const url = guestPageUrl(doors.sealer, doors.url, start.bookingId)
    const file = await (await fetch(`${url}/calendar.ics`)).text()
    const event = new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent('vevent')
    expect(event?.getFirstPropertyValue('location')).toMatch(
      /, Jl\. Kayu Aya 12, lantai 2, Seminyak 80361, .*, ID$/,
    )
    expect(event?.getFirstPropertyValue('description')).toMatch(
      /\n\+623610566827\nDirections: https:/,
    )
  })

  test('has them in the guest’s email and page, with a link for directions', async () => {
    const office = openPostOffice(doors.db)
    expect(await office.mail(start)).toBe('confirmed')
    const [mail] = office.mails
    expect(mail?.text).toContain('\nJl. Kayu Aya 12, lantai 2, Seminyak 80361, ')
    expect(mail?.text).toContain('Phone: +623610566827\nDirections: https://www.openstreetmap.org/')
    const url = guestPageUrl(doors.sealer, doors.url, start.bookingId)
    const page = await (await fetch(url)).text()
    expect(page).toContain('href="tel:+623610566827">Call: +623610566827</a>')
    expect(page).toMatch(
      /Jl\. Kayu Aya 12.*<a [^>]*href="https:\/\/www\.openstreetmap\.org\/directions/,
    )
    const indonesian = await (await fetch(`${url}?lang=id`)).text()
    expect(indonesian).toContain('Petunjuk arah')
  })
})

test('hostile text in a place stays text on pages, in linked data and calendars', async () => {
  const hostile = {
    ...place,
    address: {
      street: '"><script>alert(1)</script>\u202eevil',
      locality: 'Ubud\r\nBEGIN:VALARM\r\nATTENDEE:mailto:a@evil.example',
      postcode: '</script><img src=x onerror=alert(1)>',
    },
    photos: [
      { url: 'https://a.example/"onmouseover="alert(1)', credit: '[x](javascript:alert(1))' },
    ],
    cuisine: ['</script><script>alert(1)</script>'],
  }
  await setPlace('slug', SLUG, hostile)
  await setPlace('id', start.venueId, hostile)
  const guest = guestPageUrl(doors.sealer, doors.url, start.bookingId)
  const pages = [await text(`/venues/${SLUG}`), await (await fetch(guest)).text()]
  for (const page of pages) {
    const shown = page.replace(/<script type="application\/ld\+json">.*?<\/script>/, '')
    expect(shown).not.toMatch(/<script>alert|<img src=x|"onmouseover=/)
    // A right-to-left override is isolated from the text around it.
    expect(page).toMatch(/<bdi>\u202e<\/bdi>|<bdi>[^<]*\u202e/)
  }
  const [, json = ''] =
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(pages[0] ?? '') ?? []
  expect(JSON.parse(json).servesCuisine).toEqual(hostile.cuisine)
  expect(await text(`/venues/${SLUG}.md`)).not.toMatch(/\]\(javascript:|<script>/)
  const file = await (await fetch(`${guest}/calendar.ics`)).text()
  expect(file).not.toMatch(/^(BEGIN:VALARM|ATTENDEE)/m)
  expect(new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent')).toHaveLength(1)
})
