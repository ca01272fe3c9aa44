import { readTable } from './read-table.ts'

const rows = readTable('place-names.tsv', ([list = '', name = '', others = '']) => ({
  list,
  name,
  others: others.split('|'),
}))

const namesOf = (wanted: 'country' | 'city'): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    rows.filter(({ list }) => list === wanted).map(({ name, others }) => [name, others]),
  )

/** Names of countries that have areas, by ISO 3166-1 alpha-2 code. */
export const countryNames = namesOf('country')

/** Other names of cities and islands, by the city name that areas use. */
export const cityNames = namesOf('city')
