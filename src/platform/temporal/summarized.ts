/**
 * The start options that say in the Temporal UI what a workflow is about: the static summary and,
 * because a run that continues as new loses that, the same in its memo.
 */
export const summarized = (summary: string) => ({ staticSummary: summary, memo: { summary } })
