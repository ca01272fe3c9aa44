import type { z } from 'zod'
import type { Operation, OutputSchema, Tier } from './operation.ts'

/** A REST answer that is a file of a type other than JSON. */
type RestFile<T> = {
  type: string
  nameOf(output: T): string
  render(output: T): string | Buffer
}

/** A list that REST and the dashboard also offer as CSV. */
type RestCsv = {
  /** the output field that contains the list */
  list: string
  /** paths of fields in an item, such as `venue.name`, which also name the columns */
  columns: readonly string[]
}

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`

/** What REST needs in addition to the route; `T` is the operation's output. */
type RestOptions<T> = {
  /** overrides the operation's tier at REST */
  tier?: Tier
  /** operation fields by the names of their query parameters */
  rename?: Record<string, string>
  /** success statuses, if not just 200 */
  statuses?: Record<number, string>
  answer?(output: T): { status: number; headers: Record<string, string> }
  /** an answer that is not JSON */
  file?: RestFile<T>
  /** the route also returns CSV, with all pages of the list, to clients that accept it */
  csv?: RestCsv
  /** the route also returns an event stream to clients that accept one */
  live?: true
}

/** MCP tool annotations, all of them explicit. */
export type Annotations = Record<
  `${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`,
  boolean
>

type AtMcp = {
  /** `keyless`: `/mcp` also runs the tool without a key, within the limits of open calls */
  mcp?: { tool: string; action?: string; annotations: Annotations; keyless?: true }
}

/** An operation, an example of its input, and its name at each door; `S` as in `Operation`. */
export type Capability<S = never> = AtMcp & {
  operation: Operation<z.ZodObject, OutputSchema, S>
  example: Record<string, unknown>
  rest: { route: Route } & RestOptions<Awaited<ReturnType<Operation['run']>>>
  /** the A2A intent */
  a2a: string
}

/** An example id. */
export const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** The example used for most operations on a single thing. */
export const byId = { id: exampleId }

/** An entry in the catalogue; `a2a` is its intent. */
export const capability = <I extends z.ZodObject, O extends OutputSchema, S>(
  operation: Operation<I, O, S>,
  route: Route,
  a2a: string,
  example: z.input<I>,
  { mcp, ...rest }: RestOptions<z.input<O>> & AtMcp = {},
) => ({ operation, example, rest: { route, ...rest }, a2a, mcp }) as Capability<S>

type Outcome = {
  status?: string
  joined?: boolean | undefined
  replayed?: boolean | undefined
  retry_after?: number | undefined
}

/** The time to wait before polling again while the network decides. */
const RETRY_AFTER_SECONDS = 2

/** The time to wait before polling again, if the answer gives one. */
const retryHeader = ({ retry_after }: Pick<Outcome, 'retry_after'>) =>
  retry_after === undefined ? undefined : { 'retry-after': String(retry_after) }

/** REST answers a read with 200 and says when to poll again. */
export const readsAgain = {
  answer: (output: Pick<Outcome, 'retry_after'>) => ({
    status: 200,
    headers: { ...retryHeader(output) },
  }),
}

/**
 * REST answers 202 while pending or offered another time, 200 to a repeated request, and 201 if
 * `statuses` includes it.
 * `locate` returns the path of the created or changed resource.
 */
export const answers = <T extends Outcome>(
  statuses: Record<number, string>,
  locate: (output: T) => string | null,
) => ({
  statuses,
  answer(output: T) {
    const path = locate(output)
    const location: Record<string, string> = path ? { location: path } : {}
    if (output.status === 'pending' || output.status === 'offered') {
      const retry = retryHeader({ retry_after: RETRY_AFTER_SECONDS, ...output })
      return { status: 202, headers: { ...location, ...retry } }
    }
    if (!statuses[201]) return { status: 200, headers: {} }
    return { status: output.joined || output.replayed ? 200 : 201, headers: location }
  },
})

/** The MCP tool's name, its `action` for this operation, and explicit annotations. */
const tool =
  (readOnlyHint: boolean, destructiveHint: boolean) => (name: string, action?: string) => ({
    tool: name,
    ...(action !== undefined && { action }),
    annotations: {
      readOnlyHint,
      destructiveHint,
      idempotentHint: true,
      openWorldHint: !readOnlyHint,
    },
  })

/**
 * Annotations of MCP tools: those that read, those that change something free of charge, and those
 * that cost or cancel something, which a client should ask its user about.
 */
export const reads = tool(true, false)
export const prepares = tool(false, false)
export const commits = tool(false, true)
