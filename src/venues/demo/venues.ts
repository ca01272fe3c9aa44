import { readFileSync } from 'node:fs'
import type { AreaRow } from '../../availability/store/areas.ts'
import type { NewVenue } from '../store/new-venues.ts'
import areas from './areas.json' with { type: 'json' }

const file = new URL('venues.jsonl', import.meta.url)

/** Real areas. The culture decides the cooking and the names of an area's venues. */
export const demoAreas: readonly (AreaRow & { culture: string })[] = areas

/** Fictitious venues in them, one a line, as `tools/demo-venues` makes them. */
export const demoVenues = (): NewVenue[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
