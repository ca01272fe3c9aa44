import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig'

/** How to access a Temporal server besides its address: TLS, certificates, API key, headers. */
export type TemporalAccess = Pick<
  ClientConnectConfig['connectionOptions'],
  'tls' | 'apiKey' | 'metadata'
>

type TemporalProfile = {
  address: string | undefined
  namespace: string | undefined
  access: TemporalAccess
}

/**
 * Reads the variables that every Temporal SDK reads
 * (https://docs.temporal.io/develop/environment-configuration). Reads a configuration file only if
 * `TEMPORAL_CONFIG_FILE` or `TEMPORAL_PROFILE` is set: otherwise the user's file on this machine
 * could point to another cluster. Without an address, all else is ignored. Throws if a file cannot
 * be read.
 */
export function readTemporalProfile(env: Record<string, string>): TemporalProfile {
  const { connectionOptions, namespace } = load(env)
  const { address, tls, apiKey, metadata } = connectionOptions
  const access = { ...(tls && { tls }), ...(apiKey && { apiKey }), ...(metadata && { metadata }) }
  return { address, namespace, access: address ? access : {} }
}

function load(env: Record<string, string>) {
  const disableFile = !env.TEMPORAL_CONFIG_FILE && !env.TEMPORAL_PROFILE
  try {
    return loadClientConnectConfig({ overrideEnvVars: env, disableFile })
  } catch (error) {
    throw new Error(`The configuration of Temporal is not usable: ${(error as Error).message}`)
  }
}
