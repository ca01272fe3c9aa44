/** What a code means at every door: its HTTP status, what happened, and what to do next. */
export type ErrorSpec = { status: number; title: string; retryable: boolean; advice: string }

const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500

/** Errors of one status. The first sentence of a text says what happened, the rest what to do. */
export function refusals<Code extends string>(
  status: number,
  texts: Record<Code, string>,
  retryable = isTemporary(status),
): Record<Code, ErrorSpec> {
  const specs = Object.entries<string>(texts).map(([code, text]) => {
    const [title = '', ...advice] = text.split('. ')
    return [code, { status, title, retryable, advice: advice.join('. ') }]
  })
  return Object.fromEntries(specs)
}
