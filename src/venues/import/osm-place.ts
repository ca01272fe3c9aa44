import { type FactName, factNames, type VenueFacts } from '../../base/venue-facts.ts'
import osmFacts from './osm-facts.json' with { type: 'json' }

type Tags = Record<string, unknown>
/** For each fact, the values that mean yes (by default, any that do not mean no), and no. */
const readings: Record<FactName, { keys: string; yes?: string; no?: string }> = osmFacts

const text = (tags: Tags, ...keys: string[]): string | undefined => {
  const value = keys.map((key) => tags[key]).find((one) => one !== undefined && one !== '')
  return value === undefined ? undefined : String(value)
}

/** The fields of a place in OpenStreetMap tags. */
export const osmPlace = (tags: Tags) => ({
  address: {
    street: text(tags, 'addr:full', 'addr:street', 'addr:place'),
    house_number: text(tags, 'addr:full') ? undefined : text(tags, 'addr:housenumber'),
    locality: text(tags, 'addr:city', 'addr:town', 'addr:village', 'addr:suburb', 'addr:hamlet'),
    postcode: text(tags, 'addr:postcode'),
  },
  phone: text(tags, 'phone', 'contact:phone', 'mobile', 'contact:mobile'),
  website: first(tags, 'website', 'contact:website', 'url'),
  menu_url: first(tags, 'website:menu', 'menu:url', 'contact:menu'),
  photos: photosOf(tags),
  facts: factsOf(tags),
})

/** Limited or unusual values leave a fact unknown. */
function factsOf(tags: Tags): VenueFacts {
  return Object.fromEntries(
    factNames.flatMap((name) => {
      const { keys, yes, no = '' } = readings[name]
      const values = keys.split(' ').flatMap((key) => text(tags, key)?.toLowerCase() ?? [])
      const isIn = (list: string) => values.some((value) => list.split(' ').includes(value))
      const isYes = yes === undefined ? values.length > 0 && !isIn(no) : isIn(yes)
      const is = isYes ? 'yes' : isIn(no) ? 'no' : undefined
      return is ? [[name, is]] : []
    }),
  )
}

/** The first of several values. */
const first = (tags: Tags, ...keys: string[]): string | undefined =>
  text(tags, ...keys)
    ?.split(';')[0]
    ?.trim() || undefined

const FILE_PATH = 'https://commons.wikimedia.org/wiki/Special:FilePath/'

function photosOf(tags: Tags): { url: string; credit?: string }[] {
  const image = first(tags, 'image')
  const file = /^File:(.+)$/.exec(first(tags, 'wikimedia_commons') ?? '')?.[1]
  return [
    ...(image ? [{ url: image }] : []),
    ...(file ? [{ url: FILE_PATH + encodeURIComponent(file), credit: 'Wikimedia Commons' }] : []),
  ]
}
