import { writeFileSync } from 'node:fs'
import { makeVenues } from './venues.ts'

// Writes the venues for `npm start` and the tests: `npx node tools/demo-venues/main.ts`.
const file = new URL('../../src/venues/demo/venues.jsonl', import.meta.url)
writeFileSync(
  file,
  makeVenues()
    .map((venue) => `${JSON.stringify(venue)}\n`)
    .join(''),
)
