/** What a code means at every door: its HTTP status, whether repeating may help, and what to do next. */
export type ErrorSpec = { status: number; title: string; retryable: boolean; advice: string }

/** One entry of the error catalogue. */
export const refusal = (
  status: number,
  title: string,
  advice: string,
  retryable = false,
): ErrorSpec => ({ status, title, retryable, advice })
