// Verifies the timeline of a booking with nothing but Node.js. timeline.md explains each step.
//   node verify-timeline.mjs TIMELINE.json KEYS
// KEYS: a file, or https://…/.well-known/timeline-keys.json of the network that you trust, not the
// address that the timeline names.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NO_ENTRY = '0'.repeat(64)
/** RFC 8785 for a flat object of strings, whole numbers and booleans. */
const canonical = (object) => JSON.stringify(object, Object.keys(object).sort())

/** The timeline's problems; an empty list if there are none. */
export function problemsOf({ booking_id, entries, head, complete, signed_at, signature }, keys) {
  const problems = []
  let last = NO_ENTRY
  for (const [index, { hash, ...stated }] of entries.entries()) {
    const name = `entry ${index + 1}`
    if (stated.number !== index + 1) problems.push(`${name} carries the number ${stated.number}`)
    if (stated.previous !== last) problems.push(`${name} does not follow the one before it`)
    const text = `venue-network/timeline-entry/v1\n${canonical({ booking_id, ...stated })}`
    if (createHash('sha256').update(text).digest('hex') !== hash)
      problems.push(`${name} was changed, or belongs to another booking`)
    last = hash
  }
  if (last !== head) problems.push('the last entry is not the head')

  if (!signature) return [...problems, 'it is not signed']
  const key = keys.find(({ kid }) => kid === signature.kid)
  if (!key) return [...problems, `the key ${signature.kid} is not published`]
  const stated = { booking_id, complete, entries: entries.length, head, signed_at }
  const text = Buffer.from(`venue-network/timeline-head/v1\n${canonical(stated)}`)
  const value = Buffer.from(signature.value, 'base64url')
  const isOurs = verify(null, text, createPublicKey({ key, format: 'jwk' }), value)
  if (!isOurs || value.toString('base64url') !== signature.value)
    problems.push('the signature does not hold')
  return problems
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, keysAt] = process.argv.slice(2)
  if (!file || !keysAt) {
    console.error('usage: node verify-timeline.mjs TIMELINE.json KEYS.json|https://…')
    process.exit(2)
  }
  const timeline = JSON.parse(readFileSync(file, 'utf8'))
  const published = /^https?:/.test(keysAt)
    ? await (await fetch(keysAt)).json()
    : JSON.parse(readFileSync(keysAt, 'utf8'))
  const problems = problemsOf(timeline, published.keys)
  for (const problem of problems) console.error(problem)
  if (problems.length === 0)
    console.log(`verified: head ${timeline.head}, number of entries ${timeline.entries.length}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
