import { Client, type ClientInterceptors, Connection, isGrpcServiceError } from '@temporalio/client'
import type { TemporalAccess } from './access.ts'

export type EngineAddress = {
  address: string
  namespace: string
  access?: TemporalAccess
  interceptors?: ClientInterceptors
}

const CONNECT_WITHIN = '15s'
/** PERMISSION_DENIED and UNAUTHENTICATED */
const denials = [7, 16]
/** By default two minutes: after a long outage calls would go on failing for as long. */
const channelArgs = { 'grpc.max_reconnect_backoff_ms': 2_000 }

/** A client that connects with its first call, so that none has to wait for the server. */
export function openEngine({
  address,
  access,
  namespace,
  interceptors = {},
}: EngineAddress): Client {
  const connection = Connection.lazy({ address, channelArgs, ...access })
  return new Client({ connection, namespace, interceptors })
}

/** A client of a server that answers. Waits up to 15 s for one that has just started. */
export async function connectEngine(at: EngineAddress): Promise<Client> {
  const { address, access, namespace, interceptors = {} } = at
  const wanted = { address, channelArgs, ...access, connectTimeout: CONNECT_WITHIN }
  const connection = await Connection.connect(wanted).catch((error: Error) => {
    throw unreachable(address, error)
  })
  return new Client({ connection, namespace, interceptors })
}

function unreachable(address: string, { message, cause }: Error): Error {
  if (isGrpcServiceError(cause) && denials.includes(cause.code)) {
    return new Error(
      `The Temporal server at ${address} does not let this process in (${cause.details}). ` +
        'Check TEMPORAL_API_KEY, TEMPORAL_TLS_… and TEMPORAL_NAMESPACE.',
    )
  }
  return new Error(
    `No Temporal server answers at ${address} (${message}). Check TEMPORAL_ADDRESS and, if it ` +
      'expects TLS, TEMPORAL_TLS.',
  )
}
