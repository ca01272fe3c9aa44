import { z } from 'zod'
import { PROTOCOL } from '../base/ids.ts'
import { networkProfile } from '../base/network.ts'
import { shellQuoted } from '../base/shell-text.ts'

const freeSlots = z.object({
  slots: z.array(z.object({ slot_time: z.string(), party_min: z.int(), party_max: z.int() })),
})
const venueList = z.object({
  venues: z.array(z.object({ id: z.string(), confirm_mode: z.string(), availability: freeSlots })),
})

type ExampleBooking = { venue_id: string; slot_time: string; party_size: number }

const PARTY = 2

/** A booking that would succeed now, found in the public list; undefined if nothing is free. */
export async function findExampleBooking(url: string): Promise<ExampleBooking | undefined> {
  const response = await fetch(`${url}/api/venues?detail=full`)
  const { venues } = venueList.parse(await response.json())
  for (const { id, confirm_mode, availability } of venues) {
    // Nobody at this venue would answer.
    if (confirm_mode === 'request') continue
    const slot = availability.slots.findLast(
      ({ party_min, party_max }) => party_min <= PARTY && PARTY <= party_max,
    )
    if (slot) return { venue_id: id, slot_time: slot.slot_time, party_size: PARTY }
  }
  return undefined
}

type ReadyFacts = {
  url: string
  /** the mailbox's address, with its token */
  mailbox: string | undefined
  temporalUi: string | undefined
  /** a command for the Temporal server, including its address */
  temporal: string | undefined
  dataDir: string
  logFile: string
  simulator: { url: string; token: string } | undefined
  /** the slug of a venue where a person confirms */
  staffed: string | undefined
  example: ExampleBooking | undefined
  /** DATA_DIR unless it is the default, for the printed commands */
  chosenDataDir: string | undefined
}

const auth = '-H "Authorization: Bearer $KEY"'
const json = "-H 'Content-Type: application/json'"

/** The output of `npm start`: addresses, how to get a key, and a working command for each door. */
export function readyText(facts: ReadyFacts): string {
  const { url, mailbox, temporalUi, temporal, dataDir, logFile, simulator } = facts
  const { staffed, example, chosenDataDir } = facts
  const where = chosenDataDir ? `DATA_DIR="${chosenDataDir}" ` : ''
  const search = JSON.stringify({
    protocol: PROTOCOL,
    from: 'agent://demo',
    intent: 'booking.search',
    payload: { query: 'dinner in Canggu' },
  })
  const booking = shellQuoted(JSON.stringify(example) ?? '')
  const book = `curl -s ${url}/api/bookings ${auth} ${json} -d ${booking}`
  const addresses = {
    Dashboard: `${url}/dashboard`,
    API: url,
    'API reference': `${url}/reference`,
    Emails: mailbox,
    'Temporal UI': temporalUi,
    Simulator: simulator?.url,
    Data: dataDir,
    Log: logFile,
  }
  const commands = {
    'A key': `KEY=$(${where}npm run --silent keys -- create --tier pro --name demo | tail -n 1)`,
    'Search (REST)': `curl -s "${url}/api/venues/search?q=dinner+in+Canggu" ${auth}`,
    'Book (REST)': example && book,
    'Load venues (docs/operate/importing-venues.md)': example
      ? undefined
      : `${where}npm run venues -- import venues.csv`,
    'Search (A2A)': `curl -s ${url}/a2a/v1 ${auth} ${json} -d ${shellQuoted(search)}`,
    'Tools (MCP)':
      `npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url}/mcp --transport http ` +
      `--header "Authorization: Bearer $KEY" --method tools/list`,
    'A page where a person at a venue answers bookings':
      staffed && `${where}PUBLIC_URL=${url} npm run --silent venues -- link ${staffed} | tail -n 1`,
    'What the simulated venues wrote in their books':
      simulator && `curl -s ${simulator.url}/book -H "Authorization: Bearer ${simulator.token}"`,
    'Bookings in Temporal': temporal,
    'Agent Card': `curl -s ${url}${networkProfile.cardPath}`,
  }
  const present = (texts: Record<string, string | undefined>) =>
    Object.entries(texts).filter(([, text]) => text)
  return [
    '',
    `${networkProfile.name} is ready`,
    '',
    ...present(addresses).map(([name, address]) => `  ${name.padEnd(15)}${address}`),
    '',
    ...present(commands).flatMap(([title, command]) => [`# ${title}`, command, '']),
    'Ctrl-C stops everything. Starting again continues where it stopped.',
    '',
  ].join('\n')
}
