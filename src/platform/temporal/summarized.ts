/** A Temporal server might refuse to start a workflow with a longer summary. */
const MAX_BYTES = 200

/**
 * The start options that describe a workflow in the Temporal UI, short enough for every server: the
 * static summary and, because continuing as new loses it, a copy in the memo.
 */
export function summarized(text: string) {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES))
  const summary = text.slice(0, read)
  return { staticSummary: summary, memo: { summary } }
}
