import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rooms } from '../../src/network.ts'

const root = resolve(import.meta.dirname, '../..')
const IMPORT = /\b(?:from|import) '(\.\.\/[^']+)'/g

/** Folders below every room, lowest first. */
const ground = ['base', 'platform', 'contract']
/** Folders directly above the rooms, like `network.ts`. */
const middle = ['config', 'doors']
/** Folders above the doors, lowest first. */
const above = ['web', 'compose', 'commands', 'local']

const names = rooms.map(({ name }) => name as string)
const optional = rooms.filter((room) => 'optional' in room).map(({ name }) => name as string)
const floors = [...ground, ...names, ...middle, ...above]

/** An import in `src/ROOM/LAYER`, which is a folder or a file. */
type Import = { room: string; layer: string; from: string }
type Rule = { forbids(one: Import): boolean; message: string }

const between = (importing: string, folders: readonly string[], message: string): Rule => ({
  forbids: ({ room, from }) =>
    room === importing && folders.some((folder) => from.includes(`../${folder}/`)),
  message,
})

const inside = (layers: readonly string[], folders: readonly string[], message: string): Rule => ({
  forbids: ({ layer, from }) =>
    layers.includes(layer) && folders.some((folder) => from.includes(`/${folder}/`)),
  message: `Inside a room: rules <- store <- steps <- operations. ${message}`,
})

const rules: Rule[] = [
  inside(
    ['rules'],
    ['store', 'steps', 'operations', 'schema', 'doors', 'sender', 'search', 'import'],
    'Rules import rules only.',
  ),
  inside(
    ['store'],
    ['steps', 'operations', 'sender'],
    'The store imports no steps and no operations.',
  ),
  inside(['steps', 'sender'], ['operations'], 'Steps import no operations.'),
  ...ground.map((name, at) =>
    between(name, floors.slice(at + 1), `${name} is below ${floors[at + 1]} and every room.`),
  ),
  ...names.map((name, at) =>
    between(
      name,
      [
        ...optional.filter((one) => names.indexOf(one) < at),
        ...[...names.slice(at + 1), ...middle, ...above],
      ],
      `${name} imports rooms above it in src/network.ts, and no optional one: offer a hook.`,
    ),
  ),
  between('doors', above, 'Doors are below the pages and know no servers of this machine.'),
  between('web', above.slice(1), 'Pages know no servers of this machine.'),
  {
    forbids: ({ room, layer }) =>
      names.includes(room) &&
      layer.endsWith('.ts') &&
      !['room.ts', 'engine.ts', 'hooks.ts', 'schema.ts'].includes(layer),
    message:
      'A file of a room has a layer: rules, store, steps or operations. Beside them are only ' +
      'room.ts, engine.ts, hooks.ts and schema.ts.',
  },
  {
    forbids: ({ room, from }) =>
      [...ground, ...names].includes(room) &&
      /^(?:\.\.\/)+[a-z-]+\.ts$/.test(from) &&
      !/^\.\.\/[a-z-0-9]+\.ts$/.test(from),
    message: 'The files directly in src/ are above the rooms: a room imports none of them.',
  },
  {
    forbids: ({ from }) => from.endsWith('/room.ts') && !from.endsWith('/contract/room.ts'),
    message: 'Only src/network.ts imports a room.ts.',
  },
]

/** The imports of a file, relative to the root, that break the order of rooms or their layers. */
export function misplacedImports(file: string, text: string): string[] {
  const [, room = '', layer = ''] = /^src\/([^/]+)\/([^/]+)/.exec(file) ?? []
  if (!room) return []
  return [...text.matchAll(IMPORT)].flatMap(([, from = '']) => {
    const rule = rules.find(({ forbids }) => forbids({ room, layer, from }))
    return rule ? [`${file} imports ${from}. ${rule.message}`] : []
  })
}

/** Reports imports, `type` ones included, against the order in src/network.ts, one per line. */
export const checkRooms = (): string =>
  globSync('src/**/*.ts', { cwd: root })
    .toSorted()
    .flatMap((file) => misplacedImports(file, readFileSync(resolve(root, file), 'utf8')))
    .join('\n')
