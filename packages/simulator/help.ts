/** What `npm run simulator -- --help` prints. */
export const help = `npm run simulator

Plays venues with booking systems of their own, by docs/protocols/venue-connector.md.
Connect a venue to http://HOST:PORT/venues/<slug>; docs/protocols/venue-simulator.md has the rest.

Environment:
  SIMULATOR_SECRET  whsec_…, one secret for all venues that it plays (required)
  SIMULATOR_DATA    folder that keeps its book (default: memory only)
  HOST              default 127.0.0.1
  PORT              default 0: a free one, printed when it listens

Controls (unsigned, so leave it on loopback):
  POST   /script              make the next calls misbehave; GET shows what is planned, DELETE clears
  GET    /book, /book/<id>    what the venues believe
  POST   /book/<id>/cancel    the venue can no longer honour the booking
  POST   /book/<id>/confirm   the venue takes it after all, whatever it said before
  POST   /book/<id>/visit     nobody came, or they did after all
  POST   /seats, /full        change what is free`
