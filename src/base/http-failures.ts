/** Why a request got no answer. Never names a resolved address, because subscribers can read it. */
export const failureTexts = {
  refused_url: 'The URL is not acceptable.',
  refused_address: 'The address is not a public one.',
  dns: 'The name could not be resolved.',
  busy: 'No socket became free in time on our side.',
  connect: 'The connection could not be established.',
  tls: 'The TLS handshake failed.',
  timeout: 'No complete answer arrived before the deadline.',
  broken: 'The connection ended before the answer was complete.',
  bad_answer: 'The answer is not acceptable HTTP/1.1.',
  aborted: 'The request was cancelled on our side.',
} as const

export type FailureKind = keyof typeof failureTexts

const answerTexts: Record<string, string> = {
  ...failureTexts,
  redirect: 'Redirects are not followed. Only 2xx is a success.',
  gone: 'The receiver answered 410 Gone, so the endpoint is disabled.',
  too_large: 'The receiver answered 413: the body is too large. It is not sent again.',
  internal: 'Something failed on our side.',
}

/** A sentence that says why an attempt failed. */
export const failureText = (category: string): string =>
  answerTexts[category] ?? 'The receiver did not accept it. Only 2xx is a success.'
