import { accounts } from './accounts/room.ts'
import { agents } from './agents/room.ts'
import { availability } from './availability/room.ts'
import { bookings } from './bookings/room.ts'
import { clocks } from './clocks/room.ts'
import { confirmation } from './confirmation/room.ts'
import type { Capability } from './contract/capability.ts'
import type { Services } from './contract/operation.ts'
import type { Room } from './contract/room.ts'
import { guests } from './guests/room.ts'
import { itineraries } from './itineraries/room.ts'
import { ledger } from './ledger/room.ts'
import { notices } from './notices/room.ts'
import { oauth } from './oauth/room.ts'
import { operators } from './operators/room.ts'
import { payments } from './payments/room.ts'
import type { ServerState } from './platform/temporal/queues.ts'
import { sandbox } from './sandbox/room.ts'
import { venues } from './venues/room.ts'
import { waitlist } from './waitlist/room.ts'
import { webhooks } from './webhooks/room.ts'
import type { X402Services } from './x402/hooks.ts'
import { x402 } from './x402/room.ts'

/**
 * The product on one page: its rooms, lowest first. A room imports only rooms above it in this
 * list, and none that is optional; `npm run check` reads the order from it. Processes use the rooms
 * only through this file.
 */
export const rooms = [
  webhooks,
  ledger,
  availability,
  venues,
  bookings,
  confirmation,
  notices,
  guests,
  waitlist,
  itineraries,
  sandbox,
  agents,
  accounts,
  oauth,
  payments,
  x402,
  clocks,
  operators,
] as const satisfies readonly Room[]

type AnyRoom = (typeof rooms)[number]
type Bringing<K extends keyof Room> = Extract<AnyRoom, Record<K, unknown>>
/** A part of a room, as a union over the rooms that have it. */
export type Part<K extends keyof Room> = Bringing<K>[K & keyof Bringing<K>]
/** The intersection of the types that a union of functions takes. */
export type Joined<F> = [F] extends [(all: infer I) => void] ? I : never
/** The types that a union of functions returns, each wrapped for `Joined`. */
export type Results<F> = F extends (...parts: never[]) => infer R ? (one: R) => void : never
type Uses<C> = C extends Capability<infer S> ? (one: S) => void : never

/** The clients of all workflows, and what the Temporal server says about itself. */
export type NetworkEngine = Joined<Results<Part<'engine'>>> & ServerState

/** What the operations of all rooms use. */
export type NetworkServices = Services &
  X402Services &
  Joined<Uses<Part<'capabilities'>[number]>> & { engine: NetworkEngine }

/** What the rooms read from the configuration. */
export type RoomSettings = Joined<Results<Part<'settings'>>>

type EndWithAccount = NonNullable<Room['endWithAccount']>
const enders = (rooms as readonly Room[]).flatMap(({ endWithAccount }) => endWithAccount ?? [])

/** Ends everything that a deleted account has open in any room. */
export const endElsewhere: EndWithAccount = async (tx, accountId, at) => {
  for (const end of enders) await end(tx, accountId, at)
}

type Wrap = (one: Capability<NetworkServices>) => Capability<NetworkServices>
const wraps: readonly Wrap[] = rooms.flatMap((room) => ('wrap' in room ? [room.wrap] : []))
const first = rooms.filter((room) => !('comesLast' in room))
const last = rooms.filter((room) => 'comesLast' in room)

/** What any door can run. */
export type NetworkCapability = Capability<NetworkServices>
export type NetworkOperation = NetworkCapability['operation']

/** Everything the network can do, under its name at each door. The doors are loops over it. */
export const catalogue: readonly Capability<NetworkServices>[] = [...first, ...last]
  .flatMap((room): readonly Capability<NetworkServices>[] =>
    'capabilities' in room ? room.capabilities : [],
  )
  .map((capability) => wraps.reduce((wrapped, wrap) => wrap(wrapped), capability))
