import { resolve } from 'node:path'
import { PROTOCOL } from '../base/ids.ts'
import { networkProfile } from '../base/network.ts'
import { shellQuoted } from '../base/shell-text.ts'

/** At a demo venue that is open every evening; the README and the guides book it, too. */
const example = { venue_id: 'kelapa-warung-canggu', slot_time: 'tomorrow 19:00', party_size: 2 }

type ReadyFacts = {
  url: string
  /** the mailbox's address, with its token */
  mailbox: string | undefined
  /** the phones of the stand-in of WhatsApp */
  phones: string | undefined
  temporalUi: string | undefined
  /** a command for the Temporal server, including its address */
  temporal: string | undefined
  dataDir: string
  logFile: string
  /** warnings of venues where nobody is told of requests */
  withoutChannel: readonly string[]
  /** undefined without demo venues */
  simulator: { url: string; token: string; staffed: string | undefined } | undefined
}

const auth = '-H "Authorization: Bearer $KEY"'
const json = "-H 'Content-Type: application/json'"

/** The output of `npm start`: addresses, how to get a key, and a working command for each door. */
export function readyText(facts: ReadyFacts): string {
  const {
    url,
    mailbox,
    phones,
    temporalUi,
    temporal,
    dataDir,
    logFile,
    withoutChannel,
    simulator,
  } = facts
  const where = dataDir === resolve('.data') ? '' : `DATA_DIR="${dataDir}" `
  const search = JSON.stringify({
    protocol: PROTOCOL,
    from: 'agent://demo',
    intent: 'booking.search',
    payload: { query: 'dinner in Canggu' },
  })
  const booking = shellQuoted(JSON.stringify(example))
  const book = `curl -s ${url}/api/bookings ${auth} ${json} -d ${booking}`
  const addresses = {
    'For assistants': `${url}/mcp`,
    Dashboard: `${url}/dashboard`,
    API: url,
    'API reference': `${url}/reference`,
    Emails: mailbox,
    WhatsApp: phones,
    'Temporal UI': temporalUi,
    Simulator: simulator?.url,
    Data: dataDir,
    Log: logFile,
  }
  const commands = {
    'A key': `KEY=$(${where}npm run --silent keys -- create --tier pro --name demo | tail -n 1)`,
    'Search (REST)': `curl -s "${url}/api/venues/search?q=dinner+in+Canggu" ${auth}`,
    'Book (REST)': simulator && book,
    'Load venues (docs/operate/importing-venues.md)': simulator
      ? undefined
      : `${where}npm run venues -- import venues.csv`,
    'Search (A2A)': `curl -s ${url}/a2a/v1 ${auth} ${json} -d ${shellQuoted(search)}`,
    'Tools (MCP)':
      `npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url}/mcp --transport http ` +
      `--header "Authorization: Bearer $KEY" --method tools/list`,
    'A page where a person at a venue answers bookings':
      simulator?.staffed &&
      `${where}npm run --silent venues -- link ${simulator.staffed} | tail -n 1`,
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
    ...present(addresses).map(([name, address]) => `  ${name.padEnd(16)}${address}`),
    '',
    ...present(commands).flatMap(([title, command]) => [`# ${title}`, command, '']),
    ...withoutChannel.flatMap((warning) => [warning, '']),
    'Ctrl-C stops everything. Starting again continues where it stopped.',
    '',
  ].join('\n')
}
