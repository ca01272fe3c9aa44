import order from './address-order.json' with { type: 'json' }

const numberFirst = new Set(order.number_first.split(' '))
const postcodeFirst = new Set(order.postcode_first.split(' '))

type Place = {
  area: string
  city: string
  country: string
  address: { street: string | null; locality: string | null; postcode: string | null } | null
}

/** A street and house number in the order of the country; null if neither is given. */
export const streetLine = (country: string, street: string | null, number: string | null) =>
  (numberFirst.has(country) ? [number, street] : [street, number]).filter(Boolean).join(' ') || null

/** Where a venue is: its address as far as it is known, then its area and city. */
export function placeLines({ address, area, city, country }: Place): string[] {
  const { street, locality, postcode } = address ?? {}
  const parts = postcodeFirst.has(country) ? [postcode, locality] : [locality, postcode]
  const town = parts.filter(Boolean).join(' ')
  const around = [area, city].filter((name) => name !== locality)
  return [...new Set([street, town, ...around])].flatMap((line) => line || [])
}

/** A map with directions to a point. It needs no key, and its address contains no names. */
export const directionsUrl = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `https://www.openstreetmap.org/directions?to=${latitude.toFixed(5)}%2C${longitude.toFixed(5)}`
