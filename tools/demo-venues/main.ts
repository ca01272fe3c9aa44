import { writeFileSync } from 'node:fs'
import { makeVenues } from './venues.ts'

// Writes the venues that `npm start` and the tests have: `npx node tools/demo-venues/main.ts`.
const file = new URL('../../src/venues/demo/venues.jsonl', import.meta.url)
writeFileSync(
  file,
  makeVenues()
    .map((venue) => `${JSON.stringify(venue)}\n`)
    .join(''),
)
