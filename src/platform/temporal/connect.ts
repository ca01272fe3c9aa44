import { Client, type ClientInterceptors, Connection } from '@temporalio/client'
import { ensureNamespace } from './namespace.ts'
import { ensureSearchAttributes } from './search-attributes.ts'

export type EngineAddress = {
  address: string
  namespace: string
  interceptors?: ClientInterceptors
}

/**
 * A client of the namespace, which is made ready first: retention, search attributes. A server that has just been
 * started is waited for up to 15 s. Throws one sentence that names the address when it cannot be reached.
 */
export async function connectEngine({
  address,
  namespace,
  interceptors = {},
}: EngineAddress): Promise<Client> {
  const connection = await Connection.connect({ address, connectTimeout: '15s' }).catch(
    (error: Error) => {
      throw new Error(
        `No Temporal server answers at ${address} (${error.message}). Check TEMPORAL_ADDRESS.`,
      )
    },
  )
  try {
    await ensureNamespace(connection, namespace)
    await ensureSearchAttributes(connection, namespace)
  } catch (error) {
    await connection.close()
    throw error
  }
  return new Client({ connection, namespace, interceptors })
}
