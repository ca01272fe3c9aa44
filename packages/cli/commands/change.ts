import { randomUUID } from 'node:crypto'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { Outcome } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { decide } from '../network/decide.ts'
import type { Network } from '../network/network.ts'
import { howToAsk } from '../network/send-safely.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { DEFAULT_WAIT_S } from './booking-options.ts'

// The same limit as in REST.
const keyPattern = /^[!-~]{1,255}$/

type Change = {
  method?: 'POST' | 'PATCH'
  path: string
  body: Record<string, unknown>
  /** shown while waiting */
  waiting: string
}

/**
 * Sends a booking change with an idempotency key and waits for the final answer. An interrupt
 * prints how to look up the outcome.
 */
export async function change<T>(
  { network, terminal }: { network: Network; terminal: Terminal },
  { method = 'POST', path, body, waiting }: Change,
  options: { wait?: number | undefined; 'idempotency-key'?: string | undefined },
): Promise<{ body: T; code: NonNullable<Outcome['code']> }> {
  const idempotencyKey = options['idempotency-key'] ?? randomUUID()
  if (!keyPattern.test(idempotencyKey)) {
    throw new UsageError('--idempotency-key takes 1 to 255 printable characters, no spaces.')
  }
  const seconds = options.wait ?? DEFAULT_WAIT_S
  const forget = terminal.onInterrupt(() => terminal.say(howToAsk(idempotencyKey)))
  try {
    const answer = await withProgress(terminal, waiting, (say) =>
      decide<T>(network, { method, path, body, idempotencyKey }, { seconds, say }),
    )
    return {
      body: answer.body,
      code: answer.status === 202 ? exitCodes.pending : exitCodes.done,
    }
  } finally {
    forget()
  }
}
