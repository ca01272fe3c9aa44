import type { RefusalData } from '../contract/rules/errors.ts'

/** What HTTP says in header fields about a refusal, whatever the shape of its body. */
export function refusalHeaders({ code, facts }: RefusalData): Record<string, string> {
  return {
    ...(code === 'unauthenticated' && { 'www-authenticate': 'Bearer realm="service"' }),
    ...(typeof facts.retry_after === 'number' && { 'retry-after': String(facts.retry_after) }),
    ...(facts.replayed === true && { 'idempotent-replayed': 'true' }),
  }
}
