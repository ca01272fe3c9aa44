import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rooms } from '../../src/network.ts'
import { howToRecord } from './doors.ts'

const file = resolve(import.meta.dirname, '../lint/rooms.grit')
const template = resolve(import.meta.dirname, '../lint/rooms.template')

/** Folders below every room, lowest first. */
const ground = ['base', 'platform', 'contract']
/** Folders directly above the rooms, like `network.ts`. */
const middle = ['config', 'doors']
/** Folders above the doors, lowest first. */
const above = ['web', 'compose', 'commands', 'local']

type RoomName = { name: string; optional?: true }

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

const rule = (name: string, forbidden: readonly string[], message: string) => `
    and {
      $room <: "${name}",
      $source <: r".*\\.\\./(?:${forbidden.join('|')})/.*",
      register_diagnostic(span=$source, message="${message}", severity="error")
    },`

/** The linter's import rules for the rooms in their order. */
function roomRules(ordered: readonly RoomName[]): string {
  const names = ordered.map(({ name }) => name)
  const optional = ordered.filter((room) => room.optional).map(({ name }) => name)
  const floors = [...ground, ...names, ...middle, ...above]
  const rules = [
    ...ground.map((name, at) =>
      rule(name, floors.slice(at + 1), `${name} is below ${floors[at + 1]} and every room.`),
    ),
    ...names.map((name, at) => {
      const others = optional.filter((one) => names.indexOf(one) < at)
      const higher = [...others, ...names.slice(at + 1), ...middle, ...above]
      return rule(
        name,
        higher,
        `${name} imports rooms above it in src/network.ts, and no optional one: offer a hook.`,
      )
    }),
    rule('doors', above, 'Doors are below the pages and know no servers of this machine.'),
    rule('web', above.slice(1), 'Pages know no servers of this machine.'),
  ]
  return readFileSync(template, 'utf8')
    .replace(/ *ROOM_ORDER/, rules.join('').slice(1))
    .replace('GROUND_AND_ROOMS', quoted([...ground, ...names]))
    .replaceAll('ROOMS', quoted(names))
}

/** Writes the rules if they are stale and `write` is given; otherwise returns the problem. */
export function checkRooms({ write }: { write?: true | undefined }): string {
  const rules = roomRules(rooms)
  if (rules === readFileSync(file, 'utf8')) return ''
  if (!write) return `tools/lint/rooms.grit is out of date. ${howToRecord}`
  writeFileSync(file, rules)
  return ''
}
