import type { Operation, Tier } from './operation.ts'

/** How REST says more than 200 and a body; `output` is what the operation answered. */
export type RestAnswer = { status: number; headers: Record<string, string> }

/** An answer of REST that is a file of another type than JSON. */
export type RestFile<T> = {
  type: string
  nameOf(output: T): string
  render(output: T, publicUrl: string): string
}

/** An operation and its names at each door, with an example of its input. `tier` overrides the operation's at REST. */
export type Capability<O extends Operation = Operation> = {
  operation: O
  example: Record<string, unknown>
  rest: {
    route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`
    tier?: Tier
    /** field of the operation by the name of its query parameter */
    rename?: Record<string, string>
    /** statuses of a success, when it is not 200 alone */
    statuses?: Record<number, string>
    answer?(output: Awaited<ReturnType<O['run']>>): RestAnswer
    /** for an answer that is not JSON */
    file?: RestFile<Awaited<ReturnType<O['run']>>>
    /** the same address goes on as an event stream for who asks for one */
    live?: true
  }
  /** the A2A intent */
  a2a: string
  /** older intents that A2A accepts too */
  a2aAliases?: readonly string[]
  mcp?: { tool: string; annotations: Annotations }
}

/** MCP tool annotations, each said explicitly. */
export type Annotations = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** Looks and changes nothing. */
export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
/** Makes or changes bookings, once however often it is sent. */
export const books: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}

/** Takes away what was booked. */
export const cancels: Annotations = { ...books, destructiveHint: true }

type Answered = {
  status: string
  booking: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}

const later = 'Not decided within `Prefer: wait=N` seconds. Read the booking at `Location`'
const laterAnswer = ({ booking }: Answered): RestAnswer => ({
  status: 202,
  headers: { location: `/api/bookings/${booking.id}`, 'retry-after': '2' },
})

/** How REST answers an operation that makes a booking. */
export const creates = (made: string) => ({
  statuses: {
    200: 'The stored answer to an earlier request (`Idempotent-Replayed: true`), or its booking',
    201: made,
    202: later,
  },
  answer(output: Answered): RestAnswer {
    if (output.status === 'pending') return laterAnswer(output)
    const headers = { location: `/api/bookings/${output.booking.id}` }
    return { status: output.joined || output.replayed ? 200 : 201, headers }
  },
})

/** How REST answers an operation that changes a booking. */
export const changes = {
  statuses: { 200: 'Done', 202: later },
  answer: (output: Answered): RestAnswer =>
    output.status === 'pending' ? laterAnswer(output) : { status: 200, headers: {} },
}

type Itinerary = {
  status: string
  itinerary: { id: string }
  replayed?: boolean | undefined
  joined?: boolean | undefined
}

/** How REST answers what makes or cancels an itinerary; `done` is the status of a success. */
export const aboutItinerary = (done: 200 | 201) => ({
  statuses: {
    200: 'Done, or the answer to an earlier request',
    ...(done === 201 && { 201: 'Booked' }),
    202: 'Not decided within `Prefer: wait=N` seconds: read the itinerary at `Location`',
  },
  answer({ status, itinerary, replayed, joined }: Itinerary): RestAnswer {
    const headers = { location: `/api/itineraries/${itinerary.id}` }
    if (status === 'pending') return { status: 202, headers: { ...headers, 'retry-after': '2' } }
    return { status: replayed || joined ? 200 : done, headers: done === 201 ? headers : {} }
  },
})

/** Keeps the type of the operation while the table is written. */
export const capability = <O extends Operation>(entry: Capability<O>): Capability =>
  entry as Capability
