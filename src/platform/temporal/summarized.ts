/** Temporal servers may refuse a longer summary, and with it the start of the workflow. */
const MAX_BYTES = 200

/**
 * The start options that describe a workflow in the Temporal UI, as far as every server accepts
 * them: the static summary and, because a run that continues as new loses that, the same in its
 * memo.
 */
export function summarized(text: string) {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES))
  const summary = text.slice(0, read)
  return { staticSummary: summary, memo: { summary } }
}
