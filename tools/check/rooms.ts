import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rooms } from '../../src/network.ts'
import { howToRecord } from './doors.ts'

const file = resolve(import.meta.dirname, '../lint/rooms.grit')

/** Below every room, lowest first. */
const ground = ['base', 'platform', 'contract']
/** Right above the rooms, as `network.ts` is. */
const middle = ['config', 'doors']
/** Above the doors, lowest first. */
const above = ['web', 'compose', 'commands', 'local']

type Named = { name: string; optional?: true }

const rule = (folders: readonly string[], forbidden: readonly string[], message: string) => `
    and {
      $room <: or { ${folders.map((name) => `"${name}"`).join(', ')} },
      $source <: r".*\\.\\./(?:${forbidden.join('|')})/.*",
      register_diagnostic(span=$source, message="${message}", severity="error")
    }`

/** The linter's rules of who imports whom, for rooms in their order. */
export function roomRules(ordered: readonly Named[]): string {
  const names = ordered.map(({ name }) => name)
  const optional = ordered.filter((room) => room.optional).map(({ name }) => name)
  const floors = [...ground, ...names, ...middle, ...above]
  const rules = [
    ...ground.map((name, at) =>
      rule([name], floors.slice(at + 1), `${name} is below ${floors[at + 1]} and every room.`),
    ),
    ...names.map((name, at) => {
      const others = optional.filter((one) => names.indexOf(one) < at)
      const higher = [...others, ...names.slice(at + 1), ...middle, ...above]
      return rule(
        [name],
        higher,
        `${name} imports rooms above it in src/network.ts, and no optional one: offer a hook.`,
      )
    }),
    rule(['doors'], above, 'Doors are below the pages and know no servers of this machine.'),
    rule(['web'], above.slice(1), 'Pages know no servers of this machine.'),
  ]
  return `${head}${rules.join(',')}${tail(names)}`
}

/** Writes the rules if they are stale and `write` is given; otherwise answers the problem. */
export function checkRooms({ write }: { write?: true | undefined }): string {
  const wanted = roomRules(rooms)
  if (wanted === readFileSync(file, 'utf8')) return ''
  if (!write) return `tools/lint/rooms.grit is out of date. ${howToRecord}`
  writeFileSync(file, wanted)
  return ''
}

const head = `language js

// Written by \`npm run check -- --write\` from the list of rooms in src/network.ts. The order of
// imports, of every import, \`type\` ones included. Inside a room: rules <- store <- steps <-
// operations, and no file lies loose. Between rooms: a room imports those above it in the list.
// A regular expression is compiled for each test, so imports within a folder are skipped first and
// the path is parsed once.
JsModuleSource() as $source where {
  $source <: r"['\\"]\\.\\./.*",
  $filename <: r".*/src/([^/]+)/([^/]+).*"($room, $layer),
  or {
    and {
      $layer <: "rules",
      $source <: r".*/(?:store|steps|operations|schema|doors|sender|search|import)/.*",
      register_diagnostic(span=$source, message="Inside a room: rules <- store <- steps <- operations. Rules import rules only.", severity="error")
    },
    and {
      $layer <: "store",
      $source <: r".*/(?:steps|operations|sender)/.*",
      register_diagnostic(span=$source, message="Inside a room: rules <- store <- steps <- operations. The store imports no steps and no operations.", severity="error")
    },
    and {
      $layer <: or { "steps", "sender" },
      $source <: r".*/operations/.*",
      register_diagnostic(span=$source, message="Inside a room: rules <- store <- steps <- operations. Steps import no operations.", severity="error")
    },`

const tail = (names: readonly string[]) => `,
    and {
      $layer <: r".*\\.ts",
      $room <: or { ${names.map((name) => `"${name}"`).join(', ')} },
      not $layer <: or { "room.ts", "engine.ts", "hooks.ts", "schema.ts" },
      register_diagnostic(span=$source, message="A file of a room has a layer: rules, store, steps or operations. Beside them are only room.ts, engine.ts, hooks.ts and schema.ts.", severity="error")
    },
    and {
      $room <: or { ${[...ground, ...names].map((name) => `"${name}"`).join(', ')} },
      $source <: r"['\\"](?:\\.\\./)+[a-z-]+\\.ts['\\"]",
      not $source <: r"['\\"]\\.\\./[a-z-0-9]+\\.ts['\\"]",
      register_diagnostic(span=$source, message="The files directly in src/ are above the rooms: a room imports none of them.", severity="error")
    },
    and {
      $source <: r".*/room\\.ts['\\"]",
      not $source <: r".*/contract/room\\.ts['\\"]",
      register_diagnostic(span=$source, message="Only src/network.ts imports a room.ts.", severity="error")
    }
  }
}
`
