import { type Config, readConfig } from '../config.ts'
import { withDatabase } from '../local/with-database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openPool, type Pool } from '../platform/database/sql.ts'
import { connectionTable, connectVenue, disconnectVenue } from './connect-venue.ts'
import { close, exceptionTable, open } from './day-exceptions.ts'
import { exportFile } from './export-file.ts'
import { importFile } from './import-file.ts'
import { runCommand } from './run-command.ts'
import { parseVenueCommand, type VenueCommand } from './venue-command.ts'
import { changeMode, contactVenue, linkVenue } from './venue-people.ts'

const usage = `The venues of the network.

  npm run venues -- import FILE   loads venues from JSON, CSV or GeoJSON (OpenStreetMap tags)
      --source NAME               whose ids these are; default: the name of the file
      --strict                    loads all rows or, if one is refused, none
      --dry-run                   says what would happen and changes nothing
      --format json|csv|geojson   default: what the name of the file says
  npm run venues -- export        writes venues in a form that import takes
      --out FILE                  default: stdout
      --format json|csv|geojson   default: what the name of the file says, else json
      --source NAME               only those of this source

  npm run venues -- connect SLUG --url URL   the venue confirms in its own system from now on;
                                             prints the signing secret alone on the last line
      --secret whsec_…                       a secret that the venue has already
      --no-amend                             its system cannot change bookings: it is never asked to
  npm run venues -- disconnect SLUG          the network confirms for it again
      --force                                although its system has bookings to know of
  npm run venues -- connections              who is connected, and how the last reading went

  npm run venues -- close SLUG --date D --reason TEXT   nothing can be booked on that local date
      --area AREA | --country CC             instead of SLUG: for every venue there
      --to D                                 and on every day until then
      --hours 12:00-15:00,18:00-02:00        open in these hours instead of the usual ones
  npm run venues -- open SLUG --date D       the usual hours hold again; --area, --country, --to as above
  npm run venues -- exceptions [SLUG]        what is entered, from today on; also --area, --country

  npm run venues -- confirms-by SLUG request a person at the venue answers each booking;
                                             \`auto\`: the network confirms again
  npm run venues -- link SLUG                a link to the page of the venue's people, alone on the last line
      --days N                               good for so many days; default: 30
      --end-others                           no earlier link works any more
  npm run venues -- contact SLUG --notify-url URL   where the venue is told that somebody waits for it;
                                             prints the signing secret alone on the last line
      --none                                 nobody is told any more

A file loaded again updates its venues and never doubles them. A row that cannot be loaded gets a
line that says why, and makes the exit code 1. Formats: docs/operate/importing-venues.md. A venue's own system:
docs/protocols/venue-connector.md. A venue's people: docs/operate/venue-page.md. What a closed day means: docs/operate/availability.md.
It works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not.`

await runCommand(usage, async (args) => {
  const command = parseVenueCommand(args)
  const config = readConfig()
  return withDatabase(config, async ({ url, isOurs }) => {
    if (isOurs) await migrate(url)
    const db = openPool(url, 1, () => {})
    try {
      return await obey(db, config, command, new Date())
    } finally {
      await db.end()
    }
  })
})

/** Does what the command says and answers what to print. */
function obey(
  db: Pool,
  config: Config,
  command: VenueCommand,
  at: Date,
): Promise<string | undefined> {
  switch (command.verb) {
    case 'import':
      return importFile(db, command, at)
    case 'export':
      return exportFile(db, command)
    case 'connect':
      return connectVenue(db, config, command, at)
    case 'disconnect':
      return disconnectVenue(db, command, at)
    case 'connections':
      return connectionTable(db)
    case 'close':
      return close(db, command)
    case 'open':
      return open(db, command)
    case 'exceptions':
      return exceptionTable(db, command.scope, at)
    case 'link':
      return linkVenue(db, config, command, at)
    case 'contact':
      return contactVenue(db, config, command)
    case 'confirms-by':
      return changeMode(db, command)
  }
}
