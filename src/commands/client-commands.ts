import { newToken } from '../accounts/store/token-secret.ts'
import { openSealer } from '../compose/open-sealer.ts'
import { metadataFault, predefinedName } from '../oauth/rules/clients.ts'
import { deleteClient, selectPredefinedClients, upsertClient } from '../oauth/store/clients.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { requireSharedKey } from './connect-venue.ts'
import { defineOperatorCommand } from './operator-program.ts'

const client = { about: 'Id of the client: 2 to 64 lower-case letters, digits, dots and dashes' }

export const addClient = defineOperatorCommand({
  words: 'add-client',
  summary: 'Let an OAuth client that you know sign people in, or change it.',
  details: 'With --secret or --introspects, its new secret is alone on the last line, shown once.',
  args: { client },
  options: {
    name: { kind: 'text', value: 'NAME', about: 'What people see', required: true },
    redirects: { kind: 'list', value: 'URL,…', about: 'Addresses it may be redirected to' },
    secret: { kind: 'flag', about: 'It runs on a server and can keep a secret' },
    introspects: { kind: 'flag', about: 'It only looks at tokens, and signs nobody in' },
  },
  examples: [
    'add-client partner --name Partner --redirects https://partner.example/callback --secret',
    'add-client gateway --name Gateway --introspects',
  ],
  async run({ args: { client: id }, options, onDatabase, at }) {
    const { name, redirects = [], secret, introspects = false } = options
    if (!predefinedName.test(id)) throw new UsageError(`${id}: ${client.about}.`)
    if (introspects === redirects.length > 0) {
      throw new UsageError('add-client takes either --redirects or --introspects.')
    }
    const raw = secret || introspects ? newToken() : undefined
    const metadata = {
      client_name: name,
      redirect_uris: redirects,
      ...(introspects && { grant_types: [], response_types: [] }),
      ...(raw && { client_secret: raw, token_endpoint_auth_method: 'client_secret_basic' }),
    }
    const fault = metadataFault(metadata)
    if (fault) throw new UsageError(`${fault}.`)
    await onDatabase(async (db, config) => {
      if (raw) requireSharedKey(config)
      return upsertClient(db, await openSealer(config, db), id, metadata, at)
    })
    return raw ? `The client ${id} has this secret:\n${raw}` : `The client ${id} is known.`
  },
})

export const listClients = defineOperatorCommand({
  words: 'clients',
  summary: 'List the OAuth clients that you have added.',
  examples: ['clients'],
  run: ({ onDatabase }) =>
    onDatabase(async (db) => {
      const clients = await selectPredefinedClients(db)
      if (clients.length === 0) return 'There are no clients yet.'
      const rows = clients.map(({ client_id, name, grants }) => [client_id, name, String(grants)])
      return plainTable(['CLIENT', 'NAME', 'CONNECTIONS'], rows)
    }),
})

export const removeClient = defineOperatorCommand({
  words: 'remove-client',
  summary: 'Remove an OAuth client that you have added, and disconnect everybody from it.',
  args: { client },
  examples: ['remove-client partner'],
  async run({ args: { client: id }, onDatabase }) {
    if (await onDatabase((db) => deleteClient(db, id))) return `${id} is removed.`
    throw new Error(`You have added no client ${id}.`)
  },
})
