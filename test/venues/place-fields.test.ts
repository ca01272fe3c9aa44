import { describe, expect, test } from 'vitest'
import { hoursInWords } from '../../src/availability/rules/opening-week.ts'
import { factPhrase, factsByValue, factWord } from '../../src/base/venue-facts.ts'
import { directionsUrl, placeLines, streetLine } from '../../src/base/venue-place.ts'
import { importedFields } from '../../src/contract/venue-fields.ts'
import { featureRecord } from '../../src/venues/import/osm-record.ts'
import { readPhone } from '../../src/venues/import/phone.ts'
import { problemsOf } from '../../src/venues/import/record.ts'

describe('a telephone number', () => {
  test.each([
    ['0361 975 123', 'ID', '+62361975123'],
    ['(0361) 975-123', 'ID', '+62361975123'],
    ['+62 (0)361 975123', 'ID', '+62361975123'],
    ['0062361975123', 'ID', '+62361975123'],
    ['62 361 975123', 'ID', '+62361975123'],
    ["'+62361975123", 'ID', '+62361975123'],
    ['tel:+62-361-975123', 'ID', '+62361975123'],
    ['+62361975123; +62361975124', 'ID', '+62361975123'],
    ['0812-3456-7890', 'ID', '+6281234567890'],
    ['6123 4567', 'SG', '+6561234567'],
    ['053 711 234', 'TH', '+6653711234'],
    ['66 53 711 234', 'TH', '+6653711234'],
    ['028 3822 1234', 'VN', '+842838221234'],
    ['01-4412345', 'NP', '+97714412345'],
    ['030/23125 123', 'DE', '+493023125123'],
    ['020 7946 0123', 'GB', '+442079460123'],
    ['(11) 91234-5678', 'BR', '+5511912345678'],
    ['+65 6123 4567', 'ID', '+6561234567'],
    // Reserved numbers, as in the demo data, exist in no numbering plan.
    ['+623610566827', 'ID', '+623610566827'],
  ])('%s in %s is %s', (text, country, value) => {
    expect(readPhone(text, country)).toEqual({ value })
  })

  test.each([
    ['0361-12', 'ID', /is not a phone number of ID/],
    ['call us', 'ID', /is not a phone number of ID/],
    ['12345678901234567890', 'ID', /is not a phone number/],
    ['0361 975 123 / 124', 'ID', /is not a phone number/],
    ['030/23125 123', 'SG', /is not a phone number of SG/],
    ['+1 555 0100', 'ID', /is not a phone number/],
    ['', 'ID', /is not a phone number/],
    ['+62 361 975123 ext 5', 'ID', /has an extension/],
    ['javascript:alert(1)', 'ID', /is not a phone number/],
  ])('%s in %s is refused', (text, country, problem) => {
    expect(readPhone(text, country)).toEqual({ problem: expect.stringMatching(problem) })
  })
})

const read = (field: keyof typeof importedFields, value: unknown) => {
  const result = importedFields[field].safeParse(value)
  return result.success ? result.data : problemsOf(result.error)
}

describe('a web address', () => {
  test.each([
    ['https://warung.example/menu?x=1', 'https://warung.example/menu?x=1'],
    ['HTTP://Warung.Example', 'http://warung.example/'],
    ['www.warung.example', 'https://www.warung.example/'],
    ['warung.example:8080/menu', 'https://warung.example:8080/menu'],
    ['https://warung.example/a;b', 'https://warung.example/a%3Bb'],
    [null, null],
    [undefined, null],
  ])('%s is %s', (text, url) => {
    expect(read('website', text)).toBe(url)
    expect(read('menu_url', text)).toBe(url)
  })

  test.each([
    ['javascript:alert(1)', 'begins with "javascript:"; only http and https are allowed'],
    ['  JavaScript:alert(1)', 'begins with "javascript:"; only http and https are allowed'],
    ['java\nscript:alert(1)', 'has a control character (U+000A); remove it'],
    ['data:text/html,x', 'begins with "data:"; only http and https are allowed'],
    ['file:///etc/passwd', 'begins with "file:"; only http and https are allowed'],
    ['mailto:a@b.example', 'begins with "mailto:"; only http and https are allowed'],
    ['https://user:secret@warung.example', 'has a user name or password; remove it'],
    ['https://localhost/x', 'is not a web address, as in https://example.com/menu'],
    ['none', 'is not a web address, as in https://example.com/menu'],
    ['https://', 'is not a web address, as in https://example.com/menu'],
  ])('%s is refused', (text, problem) => {
    expect(read('website', text)).toBe(problem)
    expect(read('photos', [{ url: text }])).toBe(`0.url: ${problem}`)
  })
})

test('an address is lines without links, marks of direction or control characters', () => {
  expect(read('address', { street: ' Jl. Raya 1 ' })).toEqual({
    street: 'Jl. Raya 1',
    locality: null,
    postcode: null,
  })
  expect(read('address', { street: 'See https://evil.example' })).toMatch(/street: has a web addr/)
  expect(read('address', { street: 'www.evil.example' })).toMatch(/street: has a web address/)
  expect(read('address', { street: 'Jl.\r\nBEGIN:VEVENT' })).toMatch(/control character/)
  expect(read('address', { locality: 'a\u202eb' })).toMatch(/locality: has a text direction mark/)
  expect(read('address', { postcode: '1'.repeat(21) })).toMatch(/postcode: is longer than 20/)
  expect(read('address', { zip: '80571' })).toMatch(/unknown: zip/)
})

test('a fact is yes or no in many forms, and unknown is left out', () => {
  const facts = { pets: 'Yes', pool: false, cards: 'ya', smoking: 'TIDAK', halal: 'unknown' }
  expect(read('facts', facts)).toEqual({ pets: 'yes', pool: 'no', cards: 'yes', smoking: 'no' })
  expect(read('facts', { pets: 'maybe' })).toBe('pets: must be yes, no or unknown')
  expect(read('facts', { pony: 'yes' })).toBe('unknown: pony')
  expect(factsByValue({ pets: 'yes', pool: 'no' })).toMatchObject({
    yes: ['pets'],
    no: ['pool'],
    unknown: expect.arrayContaining(['wheelchair', 'halal']),
  })
  expect(factPhrase({ name: 'smoking', is: 'no' })).toBe('not to allow smoking')
  expect(factWord({ name: 'air_conditioning', is: 'yes' })).toBe('factyesairconditioning')
})

test('an address is written in the order of its country', () => {
  expect(streetLine('ID', 'Jl. Raya', '12')).toBe('Jl. Raya 12')
  expect(streetLine('GB', 'High Street', '12')).toBe('12 High Street')
  expect(streetLine('DE', null, null)).toBeNull()
  const berlin = { area: 'Mitte', city: 'Berlin', country: 'DE' }
  const address = { street: 'Torstr. 1', locality: 'Berlin', postcode: '10119' }
  expect(placeLines({ ...berlin, address })).toEqual(['Torstr. 1', '10119 Berlin', 'Mitte'])
  const ubud = { area: 'Ubud', city: 'Bali', country: 'ID' }
  const jalan = { street: 'Jl. Raya 1', locality: 'Ubud', postcode: '80571' }
  expect(placeLines({ ...ubud, address: jalan })).toEqual(['Jl. Raya 1', 'Ubud 80571', 'Bali'])
  expect(placeLines({ ...ubud, address: null })).toEqual(['Ubud', 'Bali'])
  expect(directionsUrl({ latitude: -8.5, longitude: 115.26 })).toBe(
    'https://www.openstreetmap.org/directions?to=-8.50000%2C115.26000',
  )
})

test('opening hours read as people write them', () => {
  const day = (day: number, open: string, close: string) => ({ day, open, close })
  const week = [1, 2, 3, 4].map((one) => day(one, '11:00', '22:00'))
  expect(hoursInWords([...week, day(6, '12:00', '15:00'), day(6, '18:00', '26:00')])).toBe(
    'Mon-Thu 11:00-22:00, Sat 12:00-15:00 and 18:00-02:00',
  )
  expect(hoursInWords([])).toBeNull()
})

test('OpenStreetMap tags become a place, and what is limited stays unknown', () => {
  const feature = (properties: Record<string, string>) =>
    featureRecord({
      type: 'Feature',
      id: 'node/1',
      geometry: { type: 'Point', coordinates: [115.26, -8.5] },
      properties: { amenity: 'restaurant', name: 'Sari', ...properties },
    })
  const tags = {
    'addr:street': 'Jalan Raya',
    'addr:housenumber': '12',
    'addr:city': 'Ubud',
    'addr:postcode': '80571',
    'contact:phone': '+62 361 975123',
    website: 'https://sari.example;https://other.example',
    'website:menu': 'https://sari.example/menu',
    image: 'https://sari.example/a.jpg',
    wikimedia_commons: 'File:Sari Ubud.jpg',
    cuisine: 'balinese;coffee_shop',
    wheelchair: 'limited',
    dog: 'leashed',
    parking: 'surface',
    swimming_pool: 'no',
    outdoor_seating: 'garden',
    air_conditioning: 'yes',
    smoking: 'outside',
    'diet:halal': 'only',
    'diet:vegan': 'no',
    'payment:visa': 'yes',
  }
  expect(feature(tags)).toMatchObject({
    record: {
      address: { street: 'Jalan Raya', house_number: '12', locality: 'Ubud', postcode: '80571' },
      phone: '+62 361 975123',
      website: 'https://sari.example',
      menu_url: 'https://sari.example/menu',
      photos: [
        { url: 'https://sari.example/a.jpg' },
        {
          url: 'https://commons.wikimedia.org/wiki/Special:FilePath/Sari%20Ubud.jpg',
          credit: 'Wikimedia Commons',
        },
      ],
      cuisine: ['balinese', 'coffee shop'],
      facts: {
        pets: 'yes',
        parking: 'yes',
        pool: 'no',
        outdoor: 'yes',
        air_conditioning: 'yes',
        halal: 'yes',
        vegan: 'no',
        cards: 'yes',
      },
    },
  })
  expect(feature({})).toMatchObject({ record: { facts: {}, photos: [], phone: undefined } })
})
