import type { AddressInfo } from 'node:net'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { buildSimulator } from './app.ts'
import { logText } from './log.ts'
import { readSettings } from './settings.ts'

const simulator = defineTool({
  words: '',
  summary:
    'Simulate venues with their own booking systems (docs/protocols/venue-connector.md). ' +
    'Connect a venue to http://HOST:PORT/venues/SLUG.',
  args: {
    folder: {
      about: 'Data folder of the service that starts it; identifies the process on its next start',
      optional: true,
    },
  },
  examples: [''],
  async run() {
    const settings = readSettings()
    const app = await buildSimulator({
      secret: settings.SIMULATOR_SECRET,
      token: settings.SIMULATOR_TOKEN,
      folder: settings.SIMULATOR_DATA,
      log: (line) => console.log(logText(line)),
      exit: process.exit,
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => process.exit(0))
    }
    await app.listen({ host: settings.HOST, port: settings.PORT })
    const { port } = app.server.address() as AddressInfo
    const { SIMULATOR_DATA: data, SIMULATOR_TOKEN: token } = settings
    return [
      `The venue simulator listens on http://${settings.HOST}:${port}`,
      data ? `Its book is kept in ${data}` : 'Its book is kept in memory only',
      token ? 'Its tools need SIMULATOR_TOKEN' : 'Its tools are off: SIMULATOR_TOKEN is not set',
    ].join('\n')
  },
})

await runProgram(
  {
    name: 'node packages/simulator/main.ts',
    about: simulator.summary,
    commands: [simulator],
    options: helpOption,
    notes: [
      'Environment: SIMULATOR_SECRET (required: a whsec_…, one secret for all simulated ' +
        'venues), SIMULATOR_TOKEN (opens the tools; off without it), SIMULATOR_DATA (folder of ' +
        'its book; memory only by default), HOST (127.0.0.1), PORT (0: a free port, printed ' +
        'when it listens).',
      'The tools, with `Authorization: Bearer SIMULATOR_TOKEN`: POST /script makes the next ' +
        'calls misbehave, GET lists the remaining rules, DELETE clears them. GET /book and ' +
        '/book/ID show the bookings of the venues. POST /book/ID/cancel cancels a booking, ' +
        '/confirm accepts it after all, /visit reports a no-show or withdraws it. POST /seats ' +
        'and /full change availability. More: docs/protocols/venue-simulator.md.',
    ],
  },
  {},
)
