import {
  Client,
  type ClientInterceptors,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
} from '@temporalio/client'
import type { TemporalAccess } from './access.ts'
import { dataConverter } from './data-converter.ts'

export type EngineAddress = {
  address: string
  namespace: string
  access?: TemporalAccess
  interceptors?: ClientInterceptors
}

const CONNECT_WITHIN = '15s'
const REASON_WITHIN_MS = 2_000
/** Our reasons to reject a server's certificate. A server that rejects ours only disconnects. */
const certificateFault = /certificate|altnames/
/** PERMISSION_DENIED and UNAUTHENTICATED */
const denials = [7, 16]
const CANCELLED = 1
type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number]
type InterceptedCall = ReturnType<Interceptor>

/**
 * Ends a call that would be retried after its connection was closed. Otherwise the channel would
 * throw in an SDK timer, where nothing could catch the error.
 */
const endOnceClosed: Interceptor = (options, nextCall) => {
  try {
    return nextCall(options) as InterceptedCall
  } catch {
    const ended: Partial<InterceptedCall> = {
      start: (metadata, listener) =>
        listener?.onReceiveStatus?.({ code: CANCELLED, details: 'connection closed', metadata }),
      sendMessage() {},
      halfClose() {},
      cancelWithStatus() {},
    }
    return ended as InterceptedCall
  }
}

const transport = {
  channelArgs: {
    // The default is two minutes: after a long outage, calls would fail for two minutes more.
    'grpc.max_reconnect_backoff_ms': 2_000,
    // In an internal network, Docker 20.10 leaves this query for TXT records unanswered for 27 s.
    'grpc.service_config_disable_resolution': 1,
  },
  interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endOnceClosed],
}

/** A client that connects on its first call, so that startup need not wait for the server. */
export function openEngine({ address, access, ...options }: EngineAddress): Client {
  const connection = Connection.lazy({ ...transport, address, ...access })
  return new Client({ connection, dataConverter, ...options })
}

/** A connected client. Waits up to 15 s for a server that has just started. */
export async function connectEngine(at: EngineAddress): Promise<Client> {
  const { address, access, ...options } = at
  const settings = { ...transport, address, ...access, connectTimeout: CONNECT_WITHIN }
  const connection = await Connection.connect(settings).catch(async (error: Error) => {
    throw unreachable(at, error, (await reasonOf(settings)) ?? error.message)
  })
  return new Client({ connection, dataConverter, ...options })
}

/** Why connecting fails: a call without retries reports the reason, a deadline does not. */
async function reasonOf(options: ConnectionOptions): Promise<string | undefined> {
  const connection = Connection.lazy({ ...options, interceptors: [] })
  try {
    await connection.withDeadline(Date.now() + REASON_WITHIN_MS, () =>
      connection.workflowService.getSystemInfo({}),
    )
    return undefined
  } catch (error) {
    const details = isGrpcServiceError(error) ? error.details : ''
    const [, last] =
      /Last error: (?:Error(?: \[\w+\])?: )?(.*?)\.? Resolution note/.exec(details) ?? []
    return last === 'null' ? undefined : last
  } finally {
    await connection.close()
  }
}

function unreachable({ address, access }: EngineAddress, { cause }: Error, reason: string): Error {
  if (isGrpcServiceError(cause) && denials.includes(cause.code)) {
    return new Error(
      `The Temporal server at ${address} does not let this process in (${cause.details}). ` +
        'Check TEMPORAL_API_KEY, TEMPORAL_TLS_… and TEMPORAL_NAMESPACE.',
    )
  }
  const setting = certificateFault.test(reason)
    ? 'Check TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_NAME.'
    : access?.tls
      ? 'Check TEMPORAL_ADDRESS and, if it asks for a certificate, TEMPORAL_TLS_CLIENT_CERT_PATH.'
      : 'Check TEMPORAL_ADDRESS and, if it expects TLS, TEMPORAL_TLS.'
  return new Error(`No Temporal server answers at ${address} (${reason}). ${setting}`)
}
