/** A call as an agent writes it: an A2A intent, `METHOD /path`, or an MCP tool, with its fields. */
export type Call = { name: string; input: Fields }
export type Fields = Record<string, unknown>

/** An answer; a task fails if a field that it expects is missing. */
// biome-ignore lint/suspicious/noExplicitAny: an agent has no types
export type Json = any

/** A refusal, in the fields common to every door. */
export type Refusal = { code: string; message: string } & Fields

/** An answer, with the text that the agent's model reads. */
export type Answer = { text: string } & ({ output: Json } | { refusal: Refusal })

/** Where calls are sent. `family` decides their form: both MCP transports have the same tools. */
export type Door = {
  name: string
  family: 'a2a' | 'rest' | 'mcp'
  /** What the client reads before the first call. */
  manual(): Promise<string>
  send(call: Call): Promise<Answer>
  close(): Promise<void>
}

/** An agent's first guess at each kind of door: name and fields. */
export type Guess = Record<Door['family'], [name: string, input?: Fields]>
