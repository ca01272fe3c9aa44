import { plainText } from './plain-text.ts'
import names from './service-names.json' with { type: 'json' }

/** English names of services by their Indonesian ones, for each kind of venue. */
export const serviceNames: Readonly<Record<'gym' | 'spa', Readonly<Record<string, string>>>> = names

const english = new Map(Object.values(serviceNames).flatMap((some) => Object.entries(some)))
const longestFirst = [...english.keys()].toSorted((one, other) => other.length - one.length)
const indonesian = new RegExp(`\\b(?:${longestFirst.join('|')})\\b`, 'g')

/** A text in plain letters, with the Indonesian names of services in English. */
export const servicesInEnglish = (text: string): string =>
  plainText(text).replace(indonesian, (name) => english.get(name) ?? name)
