import { PROTOCOL } from '../contract/rules/ids.ts'
import { networkProfile } from '../contract/rules/network.ts'
import type { ExampleBooking } from './example-booking.ts'

export type ReadyFacts = {
  url: string
  temporalUi: string | undefined
  dataDir: string
  logFile: string
  /** of the systems of simulated venues, where there are any */
  simulatorUrl: string | undefined
  /** a venue where a person confirms */
  staffed: string | undefined
  example: ExampleBooking | undefined
  /** DATA_DIR where it is not the default, so that the printed command finds it too */
  chosenDataDir: string | undefined
}

const auth = '-H "Authorization: Bearer $KEY"'
const json = "-H 'Content-Type: application/json'"

/**
 * What a person sees when everything runs: where it is, how to get a key, one command per door that
 * works as printed.
 */
export function readyText(facts: ReadyFacts): string {
  const { url, temporalUi, dataDir, logFile, simulatorUrl, staffed, example, chosenDataDir } = facts
  const where = chosenDataDir ? `DATA_DIR="${chosenDataDir}" ` : ''
  const search = JSON.stringify({
    protocol: PROTOCOL,
    from: 'agent://demo',
    intent: 'booking.search',
    payload: { query: 'dinner in Canggu' },
  })
  const book = example && [
    'Book (REST)',
    `curl -s ${url}/api/bookings ${auth} ${json} -d '${JSON.stringify(example)}'`,
  ]
  const commands = [
    ['A key', `KEY=$(${where}npm run --silent keys -- create --tier pro --name demo | tail -n 1)`],
    ['Search (REST)', `curl -s "${url}/api/venues/search?q=dinner+in+Canggu" ${auth}`],
    ...(book ? [book] : []),
    ['Search (A2A)', `curl -s ${url}/a2a/v1 ${auth} ${json} -d '${search}'`],
    [
      'Tools (MCP)',
      `npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url}/mcp/sse --transport sse --header "Authorization: Bearer $KEY" --method tools/list`,
    ],
    ...(staffed
      ? [
          [
            'A page where a person at a venue answers bookings',
            `${where}PUBLIC_URL=${url} npm run --silent venues -- link ${staffed} | tail -n 1`,
          ],
        ]
      : []),
    ['Agent Card', `curl -s ${url}${networkProfile.cardPath}`],
  ]
  return [
    '',
    `${networkProfile.name} is ready`,
    '',
    `  Dashboard      ${url}/dashboard`,
    `  API            ${url}`,
    `  API reference  ${url}/reference`,
    ...(temporalUi ? [`  Temporal UI    ${temporalUi}`] : []),
    ...(simulatorUrl ? [`  Simulator      ${simulatorUrl}`] : []),
    `  Data           ${dataDir}`,
    `  Log            ${logFile}`,
    '',
    ...commands.flatMap(([title, command]) => [`# ${title}`, command, '']),
    'Ctrl-C stops everything; starting again continues where it stopped.',
    '',
  ].join('\n')
}
