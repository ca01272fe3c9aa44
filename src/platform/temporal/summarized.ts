/** Temporal servers may refuse a longer summary and, with it, to start the workflow. */
const MAX_BYTES = 200

/**
 * The start options that describe a workflow in the Temporal UI, within what every server accepts:
 * the static summary and, because continuing as new loses that, a copy in the memo.
 */
export function summarized(text: string) {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES))
  const summary = text.slice(0, read)
  return { staticSummary: summary, memo: { summary } }
}
