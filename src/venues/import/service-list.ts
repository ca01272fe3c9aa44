import { plainWords } from '../../base/plain-text.ts'
import { quoted } from '../../contract/safe-text.ts'
import type { ResourceContent, ServiceContent } from '../store/venue-content.ts'
import type { ResourceRecord, ServiceRecord } from './record.ts'
import { type ReadResult, readService, type ServiceContext, windowsOf } from './services.ts'

/** What can be booked at a venue, and the resources that its services share. */
export type ServiceList = { services: ServiceContent[]; resources: ResourceContent[] }

/** Services with their own and shared resources; equal names mean the same resource. */
export function readServiceList(
  records: readonly ServiceRecord[],
  shared: readonly ResourceRecord[],
  context: ServiceContext,
): ReadResult<ServiceList> {
  const all = readResources(records, shared)
  if ('problem' in all) return all
  const services: ServiceContent[] = []
  const notes: string[] = []
  for (const [index, record] of records.entries()) {
    const isItsOwn = ({ can }: ResourceContent) => can === null || can.includes(record.name)
    const sharesAny = record.strategy === 'exclusive' || record.sessions
    const resources = sharesAny ? all.value.filter(isItsOwn).map(asOwn) : record.resources
    const service = readService({ ...record, resources }, context)
    if ('problem' in service) return { problem: `services.${index}.${service.problem}` }
    const twin = services.find(({ name }) => plainName(name) === plainName(record.name))
    if (twin) {
      const names = [record.name, twin.name].map(quoted)
      const both = names[0] === names[1] ? names[0] : `${names[1]}, too similar to ${names[0]}`
      return { problem: `services.${index}.name: another service is called ${both}` }
    }
    services.push(service.value)
    notes.push(...service.notes.map((note) => `services.${index}.${note}`))
  }
  return { value: { services, resources: all.value }, notes }
}

/** Agents and operators may ignore case and symbols when they name a service. */
const plainName = (name: string) => plainWords(name).join(' ') || name

const asOwn = ({ kind, name, party_min, party_max, joins }: ResourceContent) => {
  return { kind, name, party_min, party_max, joins, days_off: [] }
}

function readResources(
  records: readonly ServiceRecord[],
  shared: readonly ResourceRecord[],
): { value: ResourceContent[] } | { problem: string } {
  const found = new Map<string, ResourceContent>()
  const lists = [
    { where: '', list: shared },
    ...records.map(({ name, resources }, index) => ({
      where: `services.${index}.`,
      list: resources.map((one) => ({ ...one, can: [name] })),
    })),
  ]
  for (const { where, list } of lists) {
    const names = new Set<string>()
    for (const [index, record] of list.entries()) {
      const read = readResource(record, records)
      if ('problem' in read) return { problem: `${where}resources.${index}.${read.problem}` }
      const key = keyOf(record)
      const earlier = found.get(key)
      if (names.has(key) || (earlier && !isSame(earlier, read))) {
        return { problem: `${where}resources: two are called ${record.kind} ${record.name}` }
      }
      names.add(key)
      found.set(key, earlier ? { ...earlier, can: union(earlier.can, read.can) } : read)
    }
  }
  return { value: inOrder([...found.values()]) }
}

function readResource(
  { kind, name, party_min, joins, days_off, can, ...open }: ResourceRecord,
  services: readonly ServiceRecord[],
): ResourceContent | { problem: string } {
  const isPerson = services.some(({ leader }) => leader === kind)
  const party_max = open.party_max ?? (isPerson ? party_min : undefined)
  if (party_max === undefined) return { problem: 'party_max: is missing' }
  const hours = open.hours || open.windows ? windowsOf(open) : { windows: null }
  if ('problem' in hours) return hours
  const unknown = can?.find((one) => !services.some((service) => service.name === one))
  if (unknown) return { problem: `can: no service is called ${quoted(unknown)}` }
  const { windows } = hours
  const own = { kind, name, party_min, party_max, joins, windows }
  return { ...own, can: can?.toSorted() ?? null, days_off: days_off.toSorted() }
}

const union = (one: string[] | null, other: string[] | null) =>
  one && other && [...new Set([...one, ...other])].sort()

const isSame = ({ can: _, ...one }: ResourceContent, { can: _its, ...other }: ResourceContent) =>
  JSON.stringify(one) === JSON.stringify(other)

/** In a fixed order, for comparison. */
export const inOrder = (resources: readonly ResourceContent[]): ResourceContent[] =>
  resources.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

export const keyOf = ({ kind, name }: Pick<ResourceContent, 'kind' | 'name'>) => `${kind}\n${name}`
