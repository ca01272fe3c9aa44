import { clockShown } from '../../availability/rules/opening-week.ts'
import { minorDigits } from '../../base/money.ts'
import { factLabel, factNames } from '../../base/venue-facts.ts'
import type { Category } from '../../base/venue-kinds.ts'
import type { ShownService } from '../../contract/services.ts'
import type { PublicVenue } from '../../venues/operations/public-venue.ts'
import type { Html } from '../page/html.ts'
import { dayName, priceMark } from './venue-text.ts'

const escapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Linked data for a page's head. It is escaped so that its content cannot close the block. */
export function jsonLd(data: Record<string, unknown>): Html {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data })
  const safe = json.replaceAll(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? '')
  return { markup: `<script type="application/ld+json">${safe}</script>` }
}

const types: Record<Category, string> = {
  restaurant: 'Restaurant',
  bar: 'BarOrPub',
  gym: 'ExerciseGym',
  spa: 'DaySpa',
}
const servesFood = (category: Category) => category === 'restaurant' || category === 'bar'

/** A venue in schema.org terms; it can be reserved with `POST /api/bookings`. */
export function venueLinkedData(data: PublicVenue, publicUrl: string) {
  const { venue, services, week, terms } = data
  const url = `${publicUrl}/venues/${venue.slug}`
  const { street, locality, postcode } = venue.address ?? {}
  return {
    '@type': types[venue.category],
    '@id': url,
    url,
    name: venue.name,
    description: venue.description,
    ...(venue.is_demo && { disambiguatingDescription: 'Demo venue' }),
    identifier: venue.id,
    keywords: venue.tags.join(', '),
    priceRange: priceMark(venue.price_level),
    currenciesAccepted: venue.currency,
    address: {
      '@type': 'PostalAddress',
      ...(street && { streetAddress: street }),
      addressLocality: locality ?? venue.area,
      addressRegion: venue.city,
      ...(postcode && { postalCode: postcode }),
      addressCountry: venue.country,
    },
    ...(venue.phone && { telephone: venue.phone }),
    ...(venue.website && { sameAs: venue.website }),
    ...(venue.photos.length > 0 && {
      image: venue.photos.map(({ url, credit }) => ({
        '@type': 'ImageObject',
        url,
        ...(credit && { creditText: credit }),
      })),
    }),
    ...(servesFood(venue.category) && venue.menu_url && { hasMenu: venue.menu_url }),
    ...(servesFood(venue.category) && venue.cuisine.length > 0 && { servesCuisine: venue.cuisine }),
    amenityFeature: factNames.flatMap((name) => {
      const value = venue.facts[name]
      return value
        ? { '@type': 'LocationFeatureSpecification', name: factLabel(name), value: value === 'yes' }
        : []
    }),
    geo: { '@type': 'GeoCoordinates', latitude: venue.latitude, longitude: venue.longitude },
    openingHoursSpecification: week.flatMap(({ day, hours }) =>
      hours.map(({ open, close }) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: `https://schema.org/${dayName(day)}`,
        opens: clockShown(open),
        closes: clockShown(close),
      })),
    ),
    ...(servesFood(venue.category) && { acceptsReservations: terms !== null }),
    ...(services.length > 0 && { makesOffer: services.map((one) => offerOf(one, url)) }),
    ...(terms && { potentialAction: reserveAction(venue.category, url, publicUrl) }),
  }
}

/** A service, with a price for each length if they differ. */
const offerOf = ({ id, name, description, ...one }: ShownService, url: string) => ({
  '@type': 'Offer',
  url: `${url}?service=${id}#times`,
  itemOffered: { '@type': 'Service', name, ...(description && { description }) },
  eligibleQuantity: {
    '@type': 'QuantitativeValue',
    minValue: one.party_min,
    maxValue: one.party_max,
    unitText: 'guest',
  },
  ...(one.prices && {
    priceSpecification: one.prices.map((price, index) =>
      // A single price may apply to several lengths.
      priceSpecification(price, one.prices?.length === one.minutes.length && one.minutes[index]),
    ),
  }),
})

type Price = NonNullable<ShownService['prices']>[number]

function priceSpecification(
  { currency, per, taxes, ...price }: Price,
  minutes: number | false | undefined,
) {
  const amount = (minor: number) => minor / 10 ** minorDigits(currency)
  const { amount_minor: from, up_to_minor: to } = price
  return {
    '@type': 'UnitPriceSpecification',
    ...(to === undefined
      ? { price: amount(from) }
      : { minPrice: amount(from), maxPrice: amount(to) }),
    priceCurrency: currency,
    ...(taxes && { valueAddedTaxIncluded: taxes === 'included' }),
    unitText: per,
    ...(per !== 'hour' &&
      minutes && {
        referenceQuantity: { '@type': 'QuantitativeValue', value: minutes, unitCode: 'MIN' },
      }),
  }
}

const json = 'application/json'
const entryPoint = (httpMethod: string, urlTemplate: string) => ({
  '@type': 'EntryPoint',
  urlTemplate,
  httpMethod,
})

const reserveAction = (category: Category, url: string, publicUrl: string) => ({
  '@type': 'ReserveAction',
  target: [
    { ...entryPoint('POST', `${publicUrl}/api/bookings`), contentType: json, encodingType: json },
    entryPoint('GET', `${url}#book`),
  ],
  result: { '@type': servesFood(category) ? 'FoodEstablishmentReservation' : 'Reservation' },
})
