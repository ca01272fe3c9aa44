import { toMinor } from '../../../src/base/money.ts'
import { demoAreas, demoVenues } from '../../../src/venues/demo/venues.ts'
import type { JudgedVenue } from './grade.ts'

/** The demo venues, with the fields that decide whether they are right answers. */
export function demoCatalogue(): JudgedVenue[] {
  const areas = new Map(demoAreas.map((area) => [area.slug, area]))
  return demoVenues().map(({ services, ...venue }) => {
    const area = areas.get(venue.area_slug)
    if (!area) throw new Error(`no area ${venue.area_slug}`)
    const rules = services.map((one) => one.rules)
    const spends = rules.map(({ spend_per_guest_minor }) => spend_per_guest_minor ?? 0)
    // "Hot stone massage" is what "hot stone" asks for.
    const treatments = services.flatMap(({ name }) => {
      const plain = name.toLowerCase()
      return [plain, plain.replace(/ massage$/, '')]
    })
    const ends = rules.flatMap(({ windows }) => windows.map(({ close }) => minutesOf(close)))
    return {
      ...venue,
      tags: [...venue.tags, ...treatments],
      area: area.name,
      city: area.city,
      country: area.country,
      spend: Math.min(...spends) / toMinor(1, area.currency),
      closes: Math.max(...ends),
    }
  })
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
