import type { AddressInfo } from 'node:net'
import { defineTool, helpOption, runProgram } from '../command-line/run-program.ts'
import { buildSimulator } from './app.ts'
import { logText } from './log.ts'
import { readSettings } from './settings.ts'

const simulator = defineTool({
  words: '',
  summary:
    'Play venues with booking systems of their own, by docs/protocols/venue-connector.md. ' +
    'Connect a venue to http://HOST:PORT/venues/SLUG.',
  args: {
    folder: {
      about: 'Data folder of the service that starts it: its next start finds the process by it',
      optional: true,
    },
  },
  options: {},
  examples: [''],
  async run() {
    const settings = readSettings()
    const app = await buildSimulator({
      secret: settings.SIMULATOR_SECRET,
      folder: settings.SIMULATOR_DATA,
      log: (line) => console.log(logText(line)),
      exit: process.exit,
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => process.exit(0))
    }
    await app.listen({ host: settings.HOST, port: settings.PORT })
    const { port } = app.server.address() as AddressInfo
    const { SIMULATOR_DATA: data } = settings
    return [
      `The venue simulator listens on http://${settings.HOST}:${port}`,
      data ? `Its book is kept in ${data}` : 'Its book is kept in memory only',
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
      'Environment: SIMULATOR_SECRET (required: a whsec_…, one secret for all venues that it ' +
        'plays), SIMULATOR_DATA (folder that keeps its book; memory only unless given), HOST ' +
        '(127.0.0.1), PORT (0: a free one, printed when it listens).',
      'Controls, unsigned, so leave it on loopback: POST /script makes the next calls ' +
        'misbehave, GET shows what is planned, DELETE clears. GET /book and /book/ID say what ' +
        'the venues believe. POST /book/ID/cancel: the venue can no longer honour the booking; ' +
        '/confirm: it takes it after all; /visit: nobody came, or they did after all. POST ' +
        '/seats and /full change what is free. docs/protocols/venue-simulator.md has the rest.',
    ],
  },
  {},
)
