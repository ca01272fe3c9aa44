import { plainWords } from '../../base/plain-text.ts'
import type { VenueFacts } from '../../base/venue-facts.ts'
import { streetLine } from '../../base/venue-place.ts'
import type { VenueFields } from '../../contract/venue-fields.ts'
import { neededFacts } from '../search/kinds.ts'
import { readPhone } from './phone.ts'
import type { VenueRecord } from './record.ts'

/** The fields that depend on the venue's country or on each other. */
export function readPlace(
  { address, phone, facts, tags }: VenueRecord,
  country: string,
): { value: Pick<VenueFields, 'address' | 'phone' | 'facts'> } | { problem: string } {
  const number = phone === null ? { value: null } : readPhone(phone, country)
  if ('problem' in number) return { problem: `phone: ${number.problem}` }
  return {
    value: {
      address: address && addressIn(address, country),
      phone: number.value,
      facts: { ...factsOf(tags), ...facts },
    },
  }
}

function addressIn(
  { house_number = null, ...address }: NonNullable<VenueRecord['address']>,
  country: string,
): VenueFields['address'] {
  const all = { ...address, street: streetLine(country, address.street, house_number) }
  return Object.values(all).some((part) => part !== null) ? all : null
}

/** The facts that tags state in a guest's words, such as "halal" or "dog friendly". */
function factsOf(tags: readonly string[]): VenueFacts {
  const needed = tags.map((tag) => plainWords(tag).join(' ')).map((tag) => neededFacts.get(tag))
  return Object.fromEntries(needed.flatMap((fact) => (fact ? [[fact.name, fact.is]] : [])))
}
